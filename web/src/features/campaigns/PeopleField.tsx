import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { CampaignStretch } from '@/api/types'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { Field, ReadOnly } from '@/ui/field/Field'
import { format } from '@/ui/format'
import { SearchMany } from '@/ui/select/lazy-select'
import { peopleQuery } from './queries'

/** The people of a campaign. A person who leaves it surveys none of its stretches. */
export function PeopleField({ name, label, hint }: { name: string; label: string; hint: string }) {
  const { value, set, error } = useField<number[]>(name)
  const stretches = useField<CampaignStretch[]>('stretches')
  const people = useQuery(peopleQuery).data ?? []
  const nameOf = (id: number) => people.find((one) => one.id === id)?.name ?? String(id)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={label}>{format.list(value.map(nameOf))}</ReadOnly>
  const change = (ids: number[]) => {
    set(ids)
    const hasStranger = ({ user_id: id }: CampaignStretch) => id != null && !ids.includes(id)
    if (stretches.value.some(hasStranger)) stretches.set(stretches.value.map((one) => (hasStranger(one) ? { ...one, user_id: null } : one)))
  }
  return (
    <Field label={label} hint={hint} error={error} path={name}>
      {(wiring) => (
        <SearchMany
          wiring={wiring}
          choices={people.map((one) => ({ value: String(one.id), label: one.name }))}
          value={value.map(String)}
          onChange={(next) => change(next.map(Number))}
        />
      )}
    </Field>
  )
}
