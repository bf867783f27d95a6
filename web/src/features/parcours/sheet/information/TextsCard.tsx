import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { LanguageSwitch, TranslatedField } from '@/records/form/fields'
import { useField } from '@/records/form/form-context'
import { TranslateSheet } from '@/records/translation/lazy'
import { Shown } from '../Shown'
import classes from '../sheet.module.css'

/** The texts, side by side in each language. */
export function TextsCard() {
  const { t } = useTranslation('sheet')
  // The applications show nothing without a description.
  const { value: distributed } = useField<boolean | undefined>('distribute_own')
  return (
    <Card
      title={t('texts.title')}
      aside={
        <span className="row wrap">
          <TranslateSheet />
          <LanguageSwitch />
        </span>
      }
    >
      <div className={classes['fields']}>
        <TranslatedField name="title" label={t('field.title')} max={200} required />
        <Shown field="subtitle">
          <TranslatedField name="subtitle" label={t('field.subtitle')} max={300} />
        </Shown>
        <TranslatedField name="summary" kind="lines" label={t('field.summary')} max={2000} />
        <TranslatedField
          name="description"
          kind="rich"
          label={t('field.description')}
          hint={t('texts.descriptionHint')}
          required={distributed === true}
        />
      </div>
    </Card>
  )
}
