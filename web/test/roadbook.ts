import { roadbookPageKinds, type RoadbookSettings } from '@/api/types'
import { newPage } from '@/features/parcours/sheet/roadbook/pages'

/** The settings of a roadbook for a test, with what the test is about. */
export const roadbookSettings = (own: Partial<RoadbookSettings> = {}): RoadbookSettings => ({
  format: 'a5',
  booklet: false,
  bleed: false,
  language: null,
  anonymous: false,
  starts_on: null,
  clients: [],
  welcome: {},
  signature: '',
  contacts: [],
  pages: roadbookPageKinds.map(newPage),
  stays: [],
  vouchers: [],
  ...own,
})
