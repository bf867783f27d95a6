import type { RecordsPath } from '@/api/resource'
import type { Choice } from '@/ui/field/inputs'
import { format } from '@/ui/format'

/** One filter of a list: how it is chosen and how its chip reads. */
export type FilterDef =
  | { key: string; label: string; kind: 'many'; choices: readonly Choice[] }
  | { key: string; label: string; kind: 'one'; choices: readonly Choice[] }
  /** Another record, found by typing; `base` is where the server has its list. */
  | { key: string; label: string; kind: 'record'; base: RecordsPath; queryKey: readonly string[] }
  /** Some words it must hold. */
  | { key: string; label: string; kind: 'words' }
  /** From one value to another, either end open: `2..5`. */
  | { key: string; label: string; kind: 'range'; of: 'number' | 'date' }
  /** On or absent; `value` is its value in the address (default `true`). */
  | { key: string; label: string; kind: 'switch'; value?: string }

/** The text of a chip: « Pratique : Vélo, VTT », or « Pratique : 3 » for many values. `record`: the name of the chosen record. */
export function chipText(filter: FilterDef, value: string, record?: string): string {
  if (filter.kind === 'switch') return filter.label
  if (filter.kind === 'record') return record === undefined ? filter.label : format.labelled(filter.label, record)
  if (filter.kind === 'words') return format.labelled(filter.label, value)
  if (filter.kind === 'range')
    return format.labelled(
      filter.label,
      rangeOf(value)
        .map((end) => endText(filter.of, end))
        .join(' – '),
    )
  const chosen = value.split(',')
  const names = chosen.map((one) => filter.choices.find((choice) => choice.value === one)?.label ?? one)
  const words = names.join(', ')
  return format.labelled(filter.label, names.length > 1 && (names.length > 2 || words.length > 28) ? format.number(names.length) : words)
}

/** One end of a range as people write it; what cannot be read stays as it was typed. */
function endText(of: 'number' | 'date', end: string): string {
  if (end === '') return '…'
  if (of === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(end) ? format.day(end) : end
  return Number.isFinite(Number(end)) ? format.number(Number(end), (end.split('.')[1] ?? '').length) : end
}

/** The two ends of a range; either may be open. */
export function rangeOf(value: string | undefined): [from: string, to: string] {
  const [from = '', to] = (value ?? '').split('..')
  return [from, to ?? from]
}

/** A range as the address has it; nothing without an end. */
export const rangeText = (from: string, to: string): string | undefined => (from === '' && to === '' ? undefined : `${from}..${to}`)

/** Add or remove one value in a list parted by commas. */
export function toggled(value: string | undefined, one: string): string {
  const chosen = value === undefined || value === '' ? [] : value.split(',')
  return (chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]).join(',')
}
