import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api, asBytes, ifMatch, unwrap } from '@/api/client'
import { long, unwrapLong } from '@/api/long/long'
import type { Detour, Parcours, ParcoursPatch, Trace, TraceInspection } from '@/api/types'
import { ProblemError } from '@/api/problem'

const path = (id: number) => ({ path: { id } })

/** One sheet. */
export const parcoursQuery = (id: number) =>
  queryOptions({ queryKey: ['parcours', id], queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}', { params: path(id) })) })

/** Its trace with its lines; `null` when it has none. The revision is in the key: a new trace is another answer. */
export const traceQuery = (id: number, revision: number | null) =>
  queryOptions({
    queryKey: ['parcours', id, 'trace', revision],
    queryFn: (): Promise<Trace | null> => (revision === null ? Promise.resolve(null) : readTrace(id)),
    staleTime: 5 * 60_000,
  })

/** Fetches the record and its trace at the same time: the answer with the trace contains its revision. */
export async function loadSheet(queryClient: QueryClient, id: number): Promise<void> {
  const known = queryClient.getQueryData(parcoursQuery(id).queryKey) !== undefined
  const beside = known ? undefined : readTrace(id)
  // Where it fails, it is asked for again, and its failure reported, by the query.
  beside?.catch(() => undefined)
  const { trace } = await queryClient.ensureQueryData({ ...parcoursQuery(id), revalidateIfStale: true })
  const revision = trace?.revision ?? null
  void queryClient.prefetchQuery({
    ...traceQuery(id, revision),
    queryFn: async () => {
      if (revision === null) return null
      const read = await beside?.catch(() => null)
      return read?.revision === revision ? read : readTrace(id)
    },
  })
}

async function readTrace(id: number): Promise<Trace | null> {
  try {
    return await unwrapLong(api.GET('/api/v1/parcours/{id}/trace', { params: path(id), ...long }))
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404 && error.code !== 'parcours/not-found') return null
    throw error
  }
}

/** The closures of a parcours with their detours; without closures there is no request to the planner. */
export const detoursQuery = ({ id, version, closures }: Pick<Parcours, 'id' | 'version' | 'closures'>) =>
  queryOptions({
    queryKey: ['parcours', id, 'closures', version, closures],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/closures', { params: path(id) })).then(({ items }) => items),
    enabled: closures.length > 0,
    staleTime: 5 * 60_000,
  })

const detour = (id: number, closure_id: number, stretch: number) => ({ path: { id, closure_id, stretch } })

/** Show visitors a way round while the closure lasts: the very one that is on the screen. */
export const publishDetour = (id: number, closure: number, stretch: number, { from_m, to_m, distance_m }: Detour): Promise<Detour> =>
  unwrap(
    api.PUT('/api/v1/parcours/{id}/closures/{closure_id}/detours/{stretch}', {
      params: detour(id, closure, stretch),
      body: { from_m, to_m, distance_m },
    }),
  )
export const withdrawDetour = (id: number, closure: number, stretch: number): Promise<undefined> =>
  unwrap(api.DELETE('/api/v1/parcours/{id}/closures/{closure_id}/detours/{stretch}', { params: detour(id, closure, stretch) }))

export const revisionsQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'revisions', version],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/revisions', { params: path(id) })).then(({ items }) => items),
  })

/** A saved revision never changes: it is cached for the session. */
export const revisionQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'revision', version],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/revisions/{version}', { params: { path: { id, version } } })),
    staleTime: Infinity,
  })

export const sharesQuery = (id: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'shares'],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/shares', { params: path(id) })),
  })

export const usesQuery = (id: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'uses'],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/uses', { params: path(id) })),
    staleTime: 0,
  })

/** Parcours that can be chosen as a model or a parent, by their title. */
export const candidatesQuery = (search: string, relation: 'model_only' | undefined) =>
  queryOptions({
    queryKey: ['parcours', 'candidates', relation ?? 'any', search],
    queryFn: () =>
      unwrap(api.GET('/api/v1/parcours', { params: { query: { search, relation, per_page: 20, sort: 'title' } } })).then(
        ({ items }) => items,
      ),
  })

export const save = (id: number, patch: ParcoursPatch, version: number): Promise<Parcours> =>
  unwrap(api.PATCH('/api/v1/parcours/{id}', { params: { ...path(id), header: ifMatch(version) }, body: patch }))

export const publish = (id: number, version: number, on: boolean): Promise<Parcours> => {
  const init = { params: { ...path(id), header: ifMatch(version) } }
  return unwrap(on ? api.POST('/api/v1/parcours/{id}/publication', init) : api.DELETE('/api/v1/parcours/{id}/publication', init))
}

export const publishOnMine = (id: number, white_label_id: number, published: boolean): Promise<undefined> =>
  unwrap(api.PUT('/api/v1/parcours/{id}/white-labels/{white_label_id}', { params: { path: { id, white_label_id } }, body: { published } }))
export const removeFromMine = (id: number, white_label_id: number): Promise<undefined> =>
  unwrap(api.DELETE('/api/v1/parcours/{id}/white-labels/{white_label_id}', { params: { path: { id, white_label_id } } }))

export const duplicate = (id: number, title: string, modelId: number | null): Promise<Parcours> =>
  unwrap(
    api.POST('/api/v1/parcours/{id}/duplicate', { params: path(id), body: modelId === null ? { title } : { title, model_id: modelId } }),
  )

/** Accept or refuse a child of another white-label under a parcours; answers with the parent. */
export const decideChild = (id: number, child: number, accepted: boolean): Promise<Parcours> =>
  unwrap(api.PUT('/api/v1/parcours/{id}/children/{child_id}', { params: { path: { id, child_id: child } }, body: { accepted } }))

/** What assistants propose, until it is accepted or refused. */
export const proposalsQuery = (id: number) =>
  queryOptions({
    queryKey: ['parcours', id, 'proposals'],
    queryFn: () => unwrap(api.GET('/api/v1/parcours/{id}/proposals', { params: path(id) })).then(({ items }) => items),
  })

/** Accept a proposal, which saves its change, or refuse it; answers with the parcours. */
export const decideProposal = (id: number, version: number, proposal_id: number, accepted: boolean): Promise<Parcours> =>
  unwrap(
    api.PUT('/api/v1/parcours/{id}/proposals/{proposal_id}', {
      params: { path: { id, proposal_id }, header: ifMatch(version) },
      body: { accepted },
    }),
  )

export const recalculate = (id: number, version: number, forced: boolean): Promise<Parcours> =>
  unwrap(api.POST('/api/v1/parcours/{id}/recalculation', { params: { ...path(id), header: ifMatch(version) }, body: { forced } }))

export const remove = (id: number, version: number, force: boolean): Promise<undefined> =>
  unwrap(
    api.DELETE('/api/v1/parcours/{id}', {
      params: { ...path(id), header: ifMatch(version), ...(force ? { query: { force: true } } : {}) },
    }),
  )

/** Take some fields, or all, from a past save. */
export const restore = (id: number, version: number, from: number, fields: string[] | undefined): Promise<Parcours> =>
  unwrap(
    api.POST('/api/v1/parcours/{id}/revisions/{version}/restoration', {
      params: { path: { id, version: from }, header: ifMatch(version) },
      body: fields === undefined ? {} : { fields },
    }),
  )

/** The content of a file, before it is used. */
export const inspectTrace = (file: File): Promise<TraceInspection> =>
  unwrapLong(api.POST('/api/v1/traces/inspections', { params: { query: { file_name: file.name } }, ...asBytes, body: file, ...long }))

/** How to join pieces that are apart. */
export type Join = 'true' | 'first' | 'longest'

export const uploadTrace = (id: number, version: number, file: File, join: Join | null): Promise<Trace> =>
  unwrapLong(
    api.POST('/api/v1/parcours/{id}/trace/source', {
      params: { ...path(id), header: ifMatch(version), query: { file_name: file.name, ...(join === null ? {} : { join }) } },
      ...asBytes,
      body: file,
      ...long,
    }),
  )

export const share = (id: number, days: 1 | 7 | 30 | null) =>
  unwrap(
    api.POST('/api/v1/parcours/{id}/shares', {
      params: path(id),
      body: days === null ? { kind: 'permanent' } : { kind: 'temporary', days },
    }),
  )
export const revoke = (id: number, share_id: number): Promise<undefined> =>
  unwrap(api.DELETE('/api/v1/parcours/{id}/shares/{share_id}', { params: { path: { id, share_id } } }))
