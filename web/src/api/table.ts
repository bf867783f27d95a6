import { fetchOk } from './http'
import { addressOf, type QueryParams, type RecordsPath } from './resource'
import type { BulkReport, TableReport } from './types'

/** The limits of an imported table: bytes, and rows. */
export const MAX_TABLE_BYTES = 5 * 1024 * 1024
export const MAX_TABLE_ROWS = 5000

const pathOf = (base: RecordsPath) => base.replace('/api/v1/', '/api/v1/tables/')

/** The address of a list as a table, with the rows that match its query. */
export const tableAddress = (base: RecordsPath, query: QueryParams, options: { format: 'xlsx' | 'csv'; lang: string }): string =>
  addressOf(pathOf(base), { ...options, filter: addressOf('', query).replace('?', '') })

export interface TableRequest {
  /** The token of the report that is confirmed; without it nothing is written. */
  token?: string | undefined
  conflicts: 'skip' | 'write'
  /** The language of the values in the report. */
  lang: string
}

async function post<T>(address: string, body: BodyInit, type: string): Promise<T> {
  const url = new URL(address, window.location.origin).href
  const response = await fetchOk(url, { method: 'POST', headers: { 'Content-Type': type }, body })
  return JSON.parse(await response.text()) as T
}

/** Compares a table with the records, or writes it. */
export const sendTable = (base: RecordsPath, file: Blob, request: TableRequest): Promise<TableReport> =>
  post(addressOf(pathOf(base), { ...request }), file, 'application/octet-stream')

/** Undoes the changes that a table made. */
export const undoTable = (base: RecordsPath, token: string): Promise<BulkReport> =>
  post(`${pathOf(base)}/undo`, JSON.stringify({ undo_token: token }), 'application/json')
