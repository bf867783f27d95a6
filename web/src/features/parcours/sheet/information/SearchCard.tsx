import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { TextField, TranslatedField } from '@/records/form/fields'
import { Shown } from '../Shown'
import classes from '../sheet.module.css'

/** Texts for sellers and search engines, and the holder of the rights on the texts. */
export function SearchCard() {
  const { t } = useTranslation('sheet')
  return (
    <Card title={t('search.title')}>
      <div className={classes['fields']}>
        <Shown field="anonymous_title">
          <TranslatedField name="anonymous_title" label={t('field.anonymous_title')} max={200} hint={t('search.anonymousHint')} />
        </Shown>
        <Shown field="anonymous_description">
          <TranslatedField name="anonymous_description" kind="rich" label={t('field.anonymous_description')} />
        </Shown>
        <Shown field="meta_title">
          <TranslatedField name="meta_title" label={t('field.meta_title')} max={200} />
        </Shown>
        <Shown field="meta_description">
          <TranslatedField name="meta_description" kind="lines" label={t('field.meta_description')} max={500} />
        </Shown>
        <Shown field="copyright">
          <TextField name="copyright" label={t('field.copyright')} max={500} />
        </Shown>
      </div>
    </Card>
  )
}
