import { useNavigate } from '@tanstack/react-router'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import Actions, { type BulkAction, type BulkMenu } from '@/records/list/BulkActions'
import { useIsEverything, type SelectionStore } from '@/records/list/selection'
import type { ListControl } from '@/records/list/useListState'
import { bulkInputs } from './bulk-inputs'

const states = ['yes', 'no', 'inherit'] as const

/** The actions on the selected parcours. */
export default function BulkActions({ list }: { list: ListControl }) {
  const { t } = useTranslation('parcours')
  const mayWrite = useCan('content.write')
  const maySell = useCan('agency.fields')
  const refusal = mayWrite ? undefined : t('menu.readOnly')
  const simple = (
    action:
      | 'publish'
      | 'unpublish'
      | 'use_source'
      | 'distribute_own'
      | 'undistribute_own'
      | 'distribute_partners'
      | 'undistribute_partners',
  ): BulkAction => ({ action, label: t(`bulk.do.${action}`), refusal })
  const completions = (Object.keys(bulkInputs) as (keyof typeof bulkInputs)[]).map((action): BulkAction => ({
    action,
    label: t(`bulk.do.${action}`),
    Input: bulkInputs[action],
    refusal,
  }))
  const actions: (BulkAction | BulkMenu)[] = [
    simple('publish'),
    simple('unpublish'),
    simple('use_source'),
    { label: t('bulk.menu.mend'), choices: completions },
    {
      label: t('bulk.menu.distribution'),
      choices: [simple('distribute_own'), simple('undistribute_own'), simple('distribute_partners'), simple('undistribute_partners')],
    },
    {
      label: t('bulk.menu.bike'),
      choices: states.map((value) => ({ action: 'bike_carriage', value, label: t(`bulk.do.bike_carriage_${value}`), refusal })),
    },
    {
      label: t('bulk.menu.booking'),
      choices: states.map((value) => ({
        action: 'bookable',
        value,
        label: t(`bulk.do.bookable_${value}`),
        refusal: refusal ?? (maySell ? undefined : t('bulk.agencyOnly')),
      })),
    },
  ]
  return (
    <>
      <Actions base="/api/v1/parcours" queryKey={['parcours']} actions={actions} list={list} />
      {mayWrite && <Campaign selection={list.selection} />}
    </>
  )
}

/** Begins a campaign of surveys with the ticked parcours. */
function Campaign({ selection }: { selection: SelectionStore }) {
  const { t } = useTranslation('parcours')
  const navigate = useNavigate()
  if (useIsEverything(selection)) return null
  return (
    <button type="button" onClick={() => void navigate({ to: '/campagnes/new', search: { parcours: [...selection.get().ids].join(',') } })}>
      {t('bulk.campaign')}
    </button>
  )
}
