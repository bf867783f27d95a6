import { useNavigate } from '@tanstack/react-router'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import Actions, { type BulkAction, type BulkMenu } from '@/records/list/BulkActions'
import { useIsEverything } from '@/records/list/selection'
import type { ListControl } from '@/records/list/useListState'
import { bulkInputs } from './bulk-inputs'

const states = ['yes', 'no', 'inherit'] as const

/** The actions on the selected parcours. */
export default function BulkActions({ list }: { list: ListControl }) {
  const { t } = useTranslation('parcoursBulk')
  const mayWrite = useCan('content.write')
  const maySell = useCan('agency.fields')
  const navigate = useNavigate()
  const everything = useIsEverything(list.selection)
  const refusal = mayWrite ? undefined : t('parcours:menu.readOnly')
  const simple = (
    action:
      | 'publish'
      | 'unpublish'
      | 'use_source'
      | 'distribute_own'
      | 'undistribute_own'
      | 'distribute_partners'
      | 'undistribute_partners',
  ): BulkAction => ({ action, label: t(`do.${action}`), refusal })
  const completions = (Object.keys(bulkInputs) as (keyof typeof bulkInputs)[]).map((action): BulkAction => ({
    action,
    label: t(`do.${action}`),
    Input: bulkInputs[action],
    refusal,
  }))
  const actions: (BulkAction | BulkMenu)[] = [
    simple('publish'),
    simple('unpublish'),
    simple('use_source'),
    { label: t('menu.mend'), choices: completions },
    {
      label: t('menu.distribution'),
      choices: [simple('distribute_own'), simple('undistribute_own'), simple('distribute_partners'), simple('undistribute_partners')],
    },
    {
      label: t('menu.bike'),
      choices: states.map((value) => ({ action: 'bike_carriage', value, label: t(`do.bike_carriage_${value}`), refusal })),
    },
    {
      label: t('menu.booking'),
      choices: states.map((value) => ({
        action: 'bookable',
        value,
        label: t(`do.bookable_${value}`),
        refusal: refusal ?? (maySell ? undefined : t('agencyOnly')),
      })),
    },
  ]
  // Begins a campaign of surveys with the ticked parcours: it takes them one by one, not all of a list.
  if (mayWrite && !everything)
    actions.push({
      action: 'campaign',
      label: t('campaign'),
      open: (target) => {
        if ('ids' in target) void navigate({ to: '/campagnes/new', search: { parcours: target.ids.join(',') } })
      },
    })
  return <Actions base="/api/v1/parcours" queryKey={['parcours']} actions={actions} list={list} />
}
