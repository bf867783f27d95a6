import { useNavigate, useSearch } from '@tanstack/react-router'
import type { QueryParams } from '@/api/resource'
import { calendarToday } from '@/ui/format'
import { isKind, type Days, type Kind } from './statistics'

/** Periods that end today, in days. */
export const presets = ['7', '30', '90', '365'] as const
type Period = (typeof presets)[number] | 'own'

const DAY_MS = 86_400_000
const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
const plus = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
/** The number of days from one to the other, both included. */
export const daysOf = ({ from, to }: Days) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

export interface StatisticsFilters {
  period: Period
  days: Days
  /** 0: all white-labels the user works in. */
  whiteLabel: number
  kind: Kind
  source: string | undefined
  country: string | undefined
  language: string | undefined
  parcours: number | undefined
}

/** The parameters in the address; an invalid one is ignored. The server counts days in the time zone of the installation. */
export function readFilters(search: Record<string, string | undefined>, active: number, now: Date = new Date()): StatisticsFilters {
  const today = calendarToday(now)
  const { from, to } = search
  const own = isDay(from) && isDay(to) && from <= to
  const preset = presets.find((days) => days === search['period']) ?? '30'
  const parcours = Number(search['parcours'])
  const whiteLabel = Number(search['white_label'] ?? active)
  return {
    period: own ? 'own' : preset,
    days: own ? { from, to } : { from: plus(today, 1 - Number(preset)), to: today },
    whiteLabel: Number.isInteger(whiteLabel) && whiteLabel >= 0 ? whiteLabel : active,
    kind: isKind(search['kind']) ? search['kind'] : 'view',
    source: search['source'],
    country: search['country'],
    language: search['language'],
    parcours: Number.isInteger(parcours) && parcours > 0 ? parcours : undefined,
  }
}

/** The query of the API for these filters. */
export const queryOf = ({ days, whiteLabel, source, country, language, parcours }: StatisticsFilters): QueryParams => ({
  ...days,
  white_label_id: whiteLabel === 0 ? undefined : whiteLabel,
  source,
  country,
  language,
  parcours_id: parcours,
})

/** The parameters in the address, and a function that changes them. */
export function useStatisticsFilters(active: number) {
  const choice = readFilters(useSearch({ strict: false }), active)
  const navigate = useNavigate()
  const change = (change: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  return { choice, change }
}
