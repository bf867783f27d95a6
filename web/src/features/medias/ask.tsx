import { payload } from '@/api/payload'
import { Field } from '@/ui/field/Field'
import { TextInput } from '@/ui/field/inputs'
import { languageName } from '@/records/form/fields'
import { AskLine, type AskProps } from '@/records/list/bulk-inputs'
import { isText } from '@/records/picker/record-name'
import { labelOf } from '@/records/resource/define'

/** One credit for all. */
export const AskCredit = (props: AskProps) => <AskLine {...props} max={300} label={labelOf('medias', 'copyright')} />

/** One text for all, in each language; a language left empty is not changed. */
export function AskText({ value, onChange }: AskProps) {
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
