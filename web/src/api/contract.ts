import type * as m from './model'

/* The paths of the API in the shape openapi-typescript writes, so that the generated file can take this one's place. */

type Json<T> = { content: { 'application/json': T } }
type Query = Record<string, string | number | boolean | undefined>
type Parameters<Path> = Path extends undefined ? { query?: Query; header?: { 'If-Match'?: string }; path?: never; cookie?: never } : { query?: Query; header?: { 'If-Match'?: string }; path: Path; cookie?: never }
type Op<Out, Path = undefined> = { parameters: Parameters<Path>; requestBody?: never; responses: { 200: Json<Out> } }
type OpWithBody<Body, Out, Path = undefined> = { parameters: Parameters<Path>; requestBody: Json<Body>; responses: { 200: Json<Out> } }
type Read<Out, Path = undefined> = Op<Out, Path>
type Send<Body, Out, Path = undefined> = OpWithBody<Body, Out, Path>
type Id = { id: number }

/** Bytes as they are: pass `bodySerializer: (body) => body` with the call. */
export type Bytes = Blob | ArrayBuffer

export interface paths {
  '/api/v1/session': { get: Read<m.Me>; post: Send<{ email: string; password: string; totp?: string }, m.Me>; delete: Read<undefined> }
  '/api/v1/sessions': { delete: Read<undefined> }
  '/api/v1/me': { patch: Send<{ locale?: 'fr' | 'en'; advanced_view?: boolean; single_keys?: boolean; active_white_label_id?: number }, m.Me> }
  '/api/v1/me/sessions': { get: Read<{ items: m.OwnSession[] }> }
  '/api/v1/password-resets': { post: Send<{ email: string }, undefined> }
  '/api/v1/password-resets/{token}': { get: Read<m.PasswordReset, { token: string }>; put: Send<{ password: string }, undefined, { token: string }> }
  '/api/v1/guide': { get: Read<m.GuideIndex> }
  '/api/v1/guide/{slug}': { get: Read<m.GuidePage, { slug: string }> }

  '/api/v1/dashboard': { get: Read<m.Dashboard> }
  '/api/v1/vocabularies/{kind}': { get: Read<{ items: m.VocabularyItem[] }, { kind: m.VocabularyKind }> }
  '/api/v1/structures': { get: Read<m.Page<m.Structure>> }
  '/api/v1/white-labels': { get: Read<m.Page<m.WhiteLabel>> }
  '/api/v1/users': { get: Read<m.Page<m.User>> }
  '/api/v1/pois': { get: Read<m.Page<m.Poi>> }
  '/api/v1/pois/{id}': { get: Read<m.Poi, Id> }
  '/api/v1/medias': { get: Read<m.Page<m.Media>> }
  '/api/v1/medias/{id}': { get: Read<m.Media, Id> }

  '/api/v1/parcours': { get: Read<m.ParcoursList>; post: Send<m.ParcoursPatch, m.Parcours> }
  '/api/v1/parcours/views': { get: Read<m.ParcoursViews> }
  '/api/v1/parcours/map': { get: Read<m.ParcoursMap> }
  '/api/v1/parcours/bulk': { post: Send<m.BulkRequest, m.BulkReport> }
  '/api/v1/parcours/bulk/undo': { post: Send<{ undo_token: string }, m.BulkReport> }
  '/api/v1/parcours/{id}': { get: Read<m.Parcours, Id>; patch: Send<m.ParcoursPatch, m.Parcours, Id>; delete: Read<undefined, Id> }
  '/api/v1/parcours/{id}/uses': { get: Read<m.ParcoursUses, Id> }
  '/api/v1/parcours/{id}/publication': { post: Read<m.Parcours, Id>; delete: Read<m.Parcours, Id> }
  '/api/v1/parcours/{id}/white-labels/{wl_id}': { put: Send<{ published: boolean }, undefined, { id: number; wl_id: number }>; delete: Read<undefined, { id: number; wl_id: number }> }
  '/api/v1/parcours/{id}/duplicate': { post: Send<{ title: string; model_id?: number }, m.Parcours, Id> }
  '/api/v1/parcours/{id}/recalculation': { post: Send<{ forced: boolean }, m.Parcours, Id> }
  '/api/v1/parcours/{id}/revisions': { get: Read<{ items: m.RevisionRow[] }, Id> }
  '/api/v1/parcours/{id}/revisions/{version}': { get: Read<m.Revision, { id: number; version: number }> }
  '/api/v1/parcours/{id}/revisions/{version}/restoration': { post: Send<{ fields?: string[] }, m.Parcours, { id: number; version: number }> }
  '/api/v1/parcours/{id}/presence': { post: Send<{ editing: boolean }, m.Presence, Id> }
  '/api/v1/parcours/{id}/trace': { get: Read<m.Trace, Id>; put: Send<m.TraceInput, m.Trace, Id> }
  '/api/v1/parcours/{id}/trace/source': { post: Send<Bytes, m.Trace, Id> }
  '/api/v1/parcours/{id}/trace/original': { post: Read<m.Trace, Id> }
  '/api/v1/traces/inspections': { post: Send<Bytes, m.TraceInspection> }
  '/api/v1/planner/route': { post: Send<m.RouteInput, m.PlannedRoute> }
  '/api/v1/planner/alternatives': { post: Send<m.RouteInput & { count: number }, m.PlannedRoute[]> }
  '/api/v1/planner/loops': { post: Send<{ start: m.Position; profile: string; length_m: number; count: number }, m.PlannedRoute[]> }
  '/api/v1/planner/analysis': { post: Send<{ legs: m.Leg[]; mode: 'planner' | 'source'; profile: string }, m.TraceAnalysis> }
  '/api/v1/planner/status': { get: Read<m.PlannerStatus> }
  '/api/v1/parcours/{id}/reviews': { get: Read<{ items: m.Review[]; total: number; counts: Record<'waiting' | 'published' | 'refused' | 'reported', number> & { stars: number[] }; average: number | null; held_back: { min: number | null; max: number | null } | null }, Id> }
  '/api/v1/parcours/{id}/reviews/{review_id}/decision': { post: Send<m.ReviewDecision, m.Review, { id: number; review_id: number }> }
  '/api/v1/parcours/{id}/field-reports': { get: Read<{ items: m.FieldReport[]; total: number; counts: Record<m.ReportState, number>; in_charge: string | null }, Id> }
  '/api/v1/parcours/{id}/field-reports/{report_id}': { delete: Read<undefined, { id: number; report_id: number }> }
  '/api/v1/parcours/{id}/field-reports/{report_id}/decision': { post: Send<m.ReportDecision, m.FieldReport, { id: number; report_id: number }> }
  '/api/v1/parcours/{id}/shares': { get: Read<m.Shares, Id>; post: Send<{ kind: 'permanent' } | { kind: 'temporary'; days: 1 | 7 | 30 }, m.Share, Id> }
  '/api/v1/parcours/{id}/shares/{share_id}': { delete: Read<undefined, { id: number; share_id: number }> }
}
