import type { ClientFile, Step } from '@/api/types'
import type { Values } from '@/records/form/paths'
import { staysOf, writtenStays } from '../values'

/** The values of the form: a client file with a stay for each night of the trip. */
export type ClientFileValues = ClientFile & Values

/** The kind of draft of a client file that is saved already. */
export const clientFileDraft = 'client-file'

export const newClientFile: ClientFile = {
  reference: '',
  clients: [],
  people: '',
  starts_on: null,
  language: null,
  welcome: {},
  signature: '',
  contacts: [],
  stays: [],
  vouchers: [],
}

export const toValues = (file: ClientFile, steps: readonly Step[]): ClientFileValues => ({
  ...file,
  stays: staysOf(file.stays, steps),
})

export const toFile = (values: ClientFileValues): ClientFile => ({ ...values, stays: writtenStays(values.stays) })
