import createClient from 'openapi-fetch'
import type { paths } from './schema'
import { send } from './http'
import { problemFrom, ProblemError } from './problem'

/** openapi-fetch passes a `Request`, whose body can be read once: its parts are sent, so that a retry has a body too. */
async function sendRequest(request: Request): Promise<Response> {
  const bodyless = request.method === 'GET' || request.method === 'HEAD'
  const headers = Object.fromEntries(request.headers)
  const response = await send(request.url, {
    method: request.method,
    headers,
    signal: request.signal,
    ...(bodyless ? {} : { body: await request.arrayBuffer() }),
  })
  if (!response.ok) throw await problemFrom(response)
  return response
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathsWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never }[keyof paths]
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never
/** The answer of a successful call. */
export type Answer<P extends keyof paths, M extends Method> = AnswerOf<Operation<P, M>>
type AnswerOf<O> = O extends { responses: infer R }
  ? {
      [S in keyof R]: S extends 200 | 201 | 202
        ? R[S] extends { content: { 'application/json': infer T } }
          ? T
          : undefined
        : S extends 204
          ? undefined
          : never
    }[keyof R]
  : never
/** Every value of a query may be a text: filters are passed as they are in the address of the application. */
type QueryOf<Q> = { [K in keyof Q]: Q[K] | string | number | undefined }
type ParametersOf<O> = O extends { parameters: infer P } ? { [K in keyof P]: K extends 'query' ? QueryOf<P[K]> : P[K] } : never
type Needs<P> = object extends P ? { params?: P } : { params: P }
type BodyOf<O> = O extends { requestBody: { content: infer C } }
  ? { body: C[keyof C]; bodySerializer?: (body: C[keyof C]) => unknown }
  : { body?: undefined }
type Init<O> = Needs<ParametersOf<O>> & BodyOf<O> & { headers?: Record<string, string>; signal?: AbortSignal; parseAs?: 'arrayBuffer' }
type Call<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...init: object extends Init<Operation<P, M>> ? [Init<Operation<P, M>>?] : [Init<Operation<P, M>>]
) => Promise<{ data?: Answer<P, M>; response: Response }>
type Client = { [M in Method as Uppercase<M>]: Call<M> }

/** Empty values are left out. */
const writeQuery = (query: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) =>
      typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '') ? [[key, String(value)]] : [],
    ),
  ).toString()

/**
 * The API, typed by its document: `unwrap(api.GET('/api/v1/parcours/{id}', { params: { path: { id } } }))`.
 * The answer type of openapi-fetch turns the tuple of a position into an array; `Answer` keeps it, hence the cast.
 */
export const api = createClient<paths>({
  baseUrl: typeof window === 'undefined' ? '' : window.location.origin,
  fetch: sendRequest,
  querySerializer: writeQuery,
}) as unknown as Client

/** The body of a successful answer; for a refusal `sendRequest` has thrown a `ProblemError`. */
export async function unwrap<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data, response } = await call
  if (data === undefined && response.status !== 204 && response.status !== 202)
    throw new ProblemError(response.status, { code: 'internal' })
  // Without a body the contract types the answer as `undefined`.
  return data as T
}

/** `If-Match` of a version, as the server writes its ETags. */
export const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` })

/** Options of a call whose body is the unchanged file. */
export const asBytes = { headers: { 'Content-Type': 'application/octet-stream' }, bodySerializer: (body: Blob): unknown => body }
