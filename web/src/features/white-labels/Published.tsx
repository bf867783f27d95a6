import { useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import type { WhiteLabel } from '@/api/types'
import { useTranslation } from '@/i18n'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { ReadOnly } from '@/ui/field/Field'
import { Checkbox } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { impactQuery } from '@/records/impact/impact'
import { ImpactList } from '@/records/impact/ImpactNote'
import type { FieldOf } from '@/records/resource/define'

/** Publishes or unpublishes the site. Before it is unpublished, a dialog lists what will no longer be reachable. */
export function Published({ record, f }: { record: WhiteLabel | null; f: FieldOf }) {
  const { t } = useTranslation('whiteLabels')
  const { name, label } = f('published')
  const { value, set } = useField<boolean>(name)
  const [asking, setAsking] = useState(false)
  const readOnly = useContext(ReadOnlyContext)
  const change = (on: boolean) => {
    if (!on && record?.published === true) setAsking(true)
    else set(on)
  }
  if (readOnly) return <ReadOnly label={label}>{t(value ? 'common:yes' : 'common:no')}</ReadOnly>
  return (
    <>
      <Checkbox data-field={name} label={label} hint={t('publishedHint')} checked={value} onChange={change} />
      {asking && record !== null && (
        <Ask
          record={record}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            set(false)
            setAsking(false)
          }}
        />
      )}
    </>
  )
}

function Ask({ record, onClose, onConfirm }: { record: WhiteLabel; onClose: () => void; onConfirm: () => void }) {
  const { t } = useTranslation('whiteLabels')
  const impact = useQuery(impactQuery('white_label', record.id, 'unpublish')).data
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={t('dark.title', { name: record.name })}
      confirm={t('dark.confirm')}
      onConfirm={onConfirm}
    >
      <p>{t('dark.lead')}</p>
      <ul>
        <li>{t('dark.site')}</li>
        <li>{t('dark.pages')}</li>
        <li>{t('dark.feeds')}</li>
      </ul>
      {impact && <ImpactList impact={impact} />}
      <p className="small muted">{t('dark.back')}</p>
    </ConfirmDialog>
  )
}
