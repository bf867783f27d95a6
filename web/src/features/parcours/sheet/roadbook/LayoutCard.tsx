import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Card } from '@/ui/Card'
import { CheckField, SelectField } from '@/records/form/choice-fields'
import { languageName } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { Choice } from '../Choice'
import sheet from '../sheet.module.css'

/** The paper, how it is printed, and in which words. */
export function LayoutCard() {
  const { t } = useTranslation('roadbook')
  const { value: format } = useField<'a5' | 'a4'>('format')
  const languages = payload().content_languages
  return (
    <Card title={t('layout.title')}>
      <div className={sheet['fields']}>
        <div className={sheet['twoColumns']}>
          <Choice<'a5' | 'a4', 'a5' | 'a4'>
            name="format"
            label={t('layout.format')}
            read={(value) => value}
            write={(choice) => choice}
            choices={[
              { value: 'a5', label: t('layout.a5') },
              { value: 'a4', label: t('layout.a4') },
            ]}
          />
          <SelectField
            name="language"
            label={t('layout.language')}
            empty={languageName(languages[0] ?? 'fr')}
            choices={languages.slice(1).map((code) => ({ value: code, label: languageName(code) }))}
          />
        </div>
        {format === 'a5' && <CheckField name="booklet" label={t('layout.booklet')} hint={t('layout.bookletHint')} />}
        <CheckField name="bleed" label={t('layout.bleed')} hint={t('layout.bleedHint')} />
        <CheckField name="anonymous" label={t('layout.anonymous')} hint={t('layout.anonymousHint')} />
      </div>
    </Card>
  )
}
