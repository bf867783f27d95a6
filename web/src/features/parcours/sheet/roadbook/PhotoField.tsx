import { useContext } from 'react'
import { Field, ReadOnly } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { useMediaOf } from '@/records/form/MediaField'
import { ReadOnlyContext } from '@/records/form/read-only'
import { textOf } from '@/ui/format'
import { useSheet } from '../context'

/** One of the parcours' own pictures. */
export function PhotoField({ name, label, empty }: { name: string; label: string; empty: string }) {
  const { parcours } = useSheet()
  const { value, set, error } = useField<number | null>(name)
  const pictures = useMediaOf(parcours.media_ids).filter(({ kind }) => kind === 'image')
  const choices = pictures.map((media) => ({ value: String(media.id), label: textOf(media.legend, media.file_name) }))
  if (useContext(ReadOnlyContext))
    return <ReadOnly label={label}>{choices.find((choice) => choice.value === String(value))?.label ?? empty}</ReadOnly>
  return (
    <Field label={label} error={error} path={name}>
      {(wiring) => (
        <SelectInput
          {...wiring}
          value={value === null ? null : String(value)}
          empty={empty}
          choices={choices}
          onChange={(id) => set(id === null ? null : Number(id))}
        />
      )}
    </Field>
  )
}
