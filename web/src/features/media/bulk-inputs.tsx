import { payload } from '@/api/payload'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { languageName } from '@/records/form/fields'
import { TextLineInput, type BulkInputProps } from '@/records/list/bulk-inputs'
import { isText } from '@/records/picker/record-name'
import { labelOf } from '@/records/resource/define'

/** One credit for all chosen media. */
export const CreditInput = (props: BulkInputProps) => <TextLineInput {...props} max={300} label={labelOf('media', 'copyright')} />

/** One text for all chosen media, in each language; a language left empty is not changed. */
export function TranslationsInput({ value, onChange }: BulkInputProps) {
  const text = isText(value) ? value : {}
  const write = (code: string, words: string) => {
    const { [code]: _, ...others } = text
    const next = words.trim() === '' ? others : { ...others, [code]: words }
    onChange(Object.keys(next).length === 0 ? undefined : next)
  }
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      {payload().content_languages.map((code) => (
        <Field key={code} label={languageName(code)}>
          {(wiring) => <TextInput {...wiring} lang={code} value={text[code] ?? ''} onChange={(words) => write(code, words)} />}
        </Field>
      ))}
    </div>
  )
}
