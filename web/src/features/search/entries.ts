import type { Capability } from '@/api/types'
import { hasSignedOut } from '@/api/signed-in-user'
import type { Translate } from '@/i18n'
import { fold } from '@/ui/text'

/** One line of the palette: a page, an action or a record to open. */
export interface Entry {
  key: string
  label: string
  hint?: string
  closed?: boolean
  to: string
}
export interface Group {
  key: string
  title: string
  entries: readonly Entry[]
  /** The number of results that are not shown. */
  more?: number
}

const pages = [
  ['home', '/'],
  ['parcours', '/parcours'],
  ['pois', '/pois'],
  ['medias', '/medias'],
  ['lines', '/lignes'],
  ['closures', '/fermetures'],
  ['whiteLabels', '/settings/marques-blanches'],
  ['users', '/settings/users', 'users.manage'],
  ['itineraries', '/settings/itineraires'],
  ['widget', '/widget'],
  ['providers', '/marque-blanche-prestataire'],
  ['campaigns', '/campagnes'],
  ['account', '/account'],
  ['settings', '/settings'],
  ['watch', '/settings/veille-reseau'],
  ['bin', '/settings/corbeille', 'content.write'],
  ['help', '/help'],
] as const satisfies readonly (readonly [string, string, Capability?])[]

const actions = [
  ['newParcours', '/parcours/new', 'content.write'],
  ['newPoi', '/pois/new', 'content.write'],
  ['importMedias', '/medias', 'content.write'],
  ['newLine', '/lignes/new', 'content.write'],
  ['newClosure', '/fermetures/new', 'content.write'],
  ['newProvider', '/marque-blanche-prestataire/new', 'content.write'],
  ['newCampaign', '/campagnes/new', 'content.write'],
  ['newContact', '/settings/contacts/new', 'settings.manage'],
  ['newUser', '/settings/users/new', 'users.manage'],
  ['newItinerary', '/settings/itineraires/new', 'reference.manage'],
  ['newWhiteLabel', '/settings/marques-blanches/new', 'reference.manage'],
] as const satisfies readonly (readonly [string, string, Capability])[]

/** Whether each word of the search is the beginning of a word of the label. */
export function matches(label: string, search: string): boolean {
  const words = fold(label).split(/[^\p{L}\p{N}]+/u)
  return fold(search)
    .split(/\s+/)
    .filter((part) => part !== '')
    .every((part) => words.some((word) => word.startsWith(part)))
}

/** The pages and actions that match a search; a search that begins with `>` finds actions only. */
export function ownGroups(search: string, may: (capability: Capability) => boolean, t: Translate<'search'>): Group[] {
  const onlyActions = search.startsWith('>')
  const words = onlyActions ? search.slice(1) : search
  const found = (entries: readonly Entry[]) => entries.filter(({ label }) => matches(label, words))
  const actionEntries = found(
    actions.filter(([, , capability]) => may(capability)).map(([key, to]) => ({ key: `action ${key}`, label: t(`action.${key}`), to })),
  )
  const pageEntries =
    onlyActions || words.trim() === ''
      ? []
      : found(
          pages
            .filter(([, , capability]) => capability === undefined || may(capability))
            .map(([key, to]) => ({ key: `page ${key}`, label: t(`page.${key}`), to })),
        )
  return [
    { key: 'actions', title: t('actions'), entries: actionEntries },
    { key: 'pages', title: t('pages'), entries: pageEntries },
  ].filter(({ entries }) => entries.length > 0)
}

const recentMax = 6
const recentKey = (userId: number) => `jalon.recent.${userId}`

/** The last pages opened from the palette, on this device. */
export function readRecent(userId: number, store: Storage = localStorage): Entry[] {
  try {
    const kept: unknown = JSON.parse(store.getItem(recentKey(userId)) ?? '[]')
    const isEntry = (value: unknown): value is Entry =>
      typeof value === 'object' &&
      value !== null &&
      'key' in value &&
      'label' in value &&
      'to' in value &&
      typeof value.to === 'string' &&
      typeof value.label === 'string'
    return Array.isArray(kept) ? kept.filter(isEntry).slice(0, recentMax) : []
  } catch {
    return []
  }
}

export function keepRecent(userId: number, entry: Entry, store: Storage = localStorage): void {
  if (hasSignedOut()) return
  try {
    store.setItem(
      recentKey(userId),
      JSON.stringify([entry, ...readRecent(userId, store).filter(({ key }) => key !== entry.key)].slice(0, recentMax)),
    )
  } catch {
    // Without storage there are no recent entries.
  }
}
