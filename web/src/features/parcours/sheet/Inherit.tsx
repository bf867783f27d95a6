import { useQuery } from '@tanstack/react-query'
import { useContext, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import type { Inheritable } from '@/api/types'
import { ReadOnly } from '@/ui/field/Field'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { textOf } from '@/ui/format'
import { Choice } from './Choice'
import { parcoursQuery } from './queries'

interface Props {
  name: 'bike_carriage' | 'bookable'
  label: string
  /** Why it may not be changed here. */
  locked?: ReactNode
}

/** Yes, no, or the parent's answer; an inherited answer is shown with its source. */
export function Inherit({ name, label, locked }: Props) {
  const { t } = useTranslation('sheet')
  const inherited = useInherited(name)
  const { value } = useField<Inheritable>(name)
  const readOnly = useContext(ReadOnlyContext) || locked !== undefined
  const words = { yes: t('yes'), no: t('no'), inherit: t('inherit.inherit') }
  if (readOnly) {
    return (
      <ReadOnly label={label} tag={locked}>
        {value === 'inherit' ? t('word.inherit') : words[value]}
        {value === 'inherit' && ` · ${inherited}`}
      </ReadOnly>
    )
  }
  return (
    <Choice<Inheritable, Inheritable>
      name={name}
      label={label}
      hint={value === 'inherit' ? inherited : t('inherit.own')}
      read={(stored) => stored}
      write={(choice) => choice}
      choices={[
        { value: 'yes', label: words.yes },
        { value: 'no', label: words.no },
        { value: 'inherit', label: words.inherit },
      ]}
    />
  )
}

/** The parent's answer, in words: « Oui, hérité de Tour du lac ». Where nothing above says whether it can be booked, its link does. */
function useInherited(name: Props['name']): string {
  const { t } = useTranslation('sheet')
  const parentId = useField<number | null>('parent_id').value
  const link = useField<string | null>('booking_url').value
  const parent = useQuery({ ...parcoursQuery(parentId ?? 0), enabled: parentId !== null }).data
  if (parentId === null) return t(name !== 'bookable' ? 'inherit.noParent' : link ? 'inherit.noParentLink' : 'inherit.noParentNo')
  if (parent === undefined) return t('inherit.looking')
  const title = textOf(parent.title)
  if (name === 'bike_carriage') {
    const answer = parent.effective_bike_carriage
    return answer === null ? t('inherit.unset', { title }) : t(answer ? 'inherit.yes' : 'inherit.no', { title })
  }
  const answer = parent.bookable === 'inherit' ? parent.inherited_bookable : parent.bookable === 'yes'
  if (answer === null) return t(link ? 'inherit.unsetLink' : 'inherit.unsetNo', { title })
  return t(answer ? 'inherit.yes' : 'inherit.no', { title })
}
