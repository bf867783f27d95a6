import { fetchOk } from './http'
import { addressOf, type Asked, type RecordsPath } from './resource'
import type { BulkReport, TableReport } from './types'

/** The largest table that is taken, in bytes, and its most rows. */
export const MAX_TABLE_BYTES = 5 * 1024 * 1024
export const MAX_TABLE_ROWS = 5000

const pathOf = (base: RecordsPath) => base.replace('/api/v1/', '/api/v1/tables/')

/** Where the table of a list is, for the rows that its own query leaves. */
export const tableAddress = (base: RecordsPath, query: Asked, asked: { format: 'xlsx' | 'csv'; lang: string }): string =>
  addressOf(pathOf(base), { ...asked, filter: addressOf('', query).replace('?', '') })

export interface TableAsked {
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
export const sendTable = (base: RecordsPath, file: Blob, asked: TableAsked): Promise<TableReport> =>
  post(addressOf(pathOf(base), { ...asked }), file, 'application/octet-stream')

/** Takes back what a table wrote. */
export const undoTable = (base: RecordsPath, token: string): Promise<BulkReport> =>
  post(`${pathOf(base)}/undo`, JSON.stringify({ undo_token: token }), 'application/json')
