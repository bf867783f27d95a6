import { useTranslation } from '@/i18n'
import { SelectField } from '@/records/form/choice-fields'
import { LinesField } from '@/records/form/LinesField'
import type { FieldOf } from '@/records/resource/define'

const licences = ['etalab', 'odbl', 'cc_by', 'cc_by_sa'] as const

/** Settings of the public API: which sites may call it from their pages, and the licence of the open data. */
export function Feeds({ f }: { f: FieldOf }) {
  const { t } = useTranslation('whiteLabels')
  return (
    <>
      <p className="small muted">
        {t('feedsHint')}{' '}
        <a href="/api/docs" target="_blank" rel="noopener">
          {t('feedsDocs')}
        </a>
      </p>
      <LinesField {...f('allowed_origins')} rows={3} spellCheck={false} placeholder="https://www.mairie.fr" hint={t('originsHint')} />
      <SelectField
        {...f('open_data_licence')}
        required
        choices={licences.map((licence) => ({ value: licence, label: t(`licence.${licence}`) }))}
        hint={t('licenceHint')}
      />
    </>
  )
}
