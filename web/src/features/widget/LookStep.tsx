import { payload } from '@/api/payload'
import { currentLocale, useTranslation } from '@/i18n'
import { Field } from '@/ui/field/Field'
import { SelectInput } from '@/ui/field/inputs'
import { NumberBox } from '@/ui/field/NumberBox'
import { ColorInput } from '@/records/form/ColorField'
import type { Choice } from './code'

interface LookStepProps {
  choice: Choice
  change: (changed: Partial<Choice>) => void
  /** The white-label's own colour. */
  own: string
  faults: { color: boolean; height: boolean }
}

/** In which words, in which colour, how high. */
export function LookStep({ choice, change, own, faults }: LookStepProps) {
  const { t } = useTranslation('widget')
  const names = new Intl.DisplayNames(currentLocale(), { type: 'language' })
  const languages = payload().content_languages.map((value) => ({ value, label: names.of(value) ?? value }))
  return (
    <>
      <Field label={t('language')} required hint={t('languageHint')}>
        {(wiring) => (
          <SelectInput {...wiring} value={choice.lang} onChange={(lang) => lang !== null && change({ lang })} choices={languages} />
        )}
      </Field>
      <Field label={t('color')} required hint={t('colorHint')} error={faults.color ? t('colorMissing') : undefined}>
        {(wiring) => <ColorInput wiring={wiring} value={choice.color ?? own} onChange={(color) => change({ color })} />}
      </Field>
      <NumberBox
        label={t('height')}
        required
        hint={t('heightHint')}
        error={faults.height ? t('heightMissing') : undefined}
        value={choice.height}
        onChange={(height) => change({ height })}
        onUnreadable={() => change({ height: null })}
        unit="px"
      />
    </>
  )
}
