import type { ClientFileContent, Step } from '@/api/types'
import type { Values } from '@/records/form/paths'
import { staysOf, writtenStays } from '../values'

/** The values of the form: a client file with a stay for each night of the trip. */
export type ClientFileValues = ClientFileContent & Values

/** The kind of draft of a client file that is saved already. */
export const clientFileDraft = 'client-file'

export const newClientFile: ClientFileContent = {
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

export const toValues = (file: ClientFileContent, steps: readonly Step[]): ClientFileValues => ({
  ...file,
  stays: staysOf(file.stays, steps),
})

export const toFile = (values: ClientFileValues): ClientFileContent => ({ ...values, stays: writtenStays(values.stays) })
