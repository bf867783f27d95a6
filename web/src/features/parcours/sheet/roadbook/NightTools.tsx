import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '@/i18n'
import type { RoadbookSettings, RoadbookStay, RoadbookVoucher, Step } from '@/api/types'
import { api, unwrap } from '@/api/client'
import { useCan } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import { useDirtyCount, useField } from '@/records/form/form-context'
import { problemText } from '@/records/problem-text'
import { RecordPicker } from '@/records/picker/RecordPicker'
import { useSheet } from '../context'
import sheet from '../sheet.module.css'
import { dayOfNight, filled, nightOver, nightsAt, placeOfPoi, placeOfSit, voucherOf } from './night'
import { nightsOf } from './values'

const records = { poi: '/api/v1/pois', sit: '/api/v1/sit-records' } as const
type Kind = keyof typeof records

/** Fills a night from a record that the person may see: the server finds and shows no other. */
export function FillNight({ at }: { at: string }) {
  const { t } = useTranslation('roadbook')
  const { value: stay, set } = useField<RoadbookStay>(at)
  const fill = useMutation({
    mutationFn: async ({ kind, id }: { kind: Kind; id: number }) => {
      const params = { path: { id } }
      return kind === 'poi'
        ? placeOfPoi(await unwrap(api.GET('/api/v1/pois/{id}', { params })))
        : placeOfSit(await unwrap(api.GET('/api/v1/sit-records/{id}', { params })))
    },
    onSuccess: (place) => {
      set(filled(stay, place))
      toast({ text: t('stays.filled', { name: place.name }) })
    },
    onError: (error) => toastError(t('because', { what: t('stays.notFilled'), why: problemText(error) })),
  })
  const take = (kind: Kind) => (id: number | null) => {
    if (id !== null) fill.mutate({ kind, id })
  }
  return (
    <div className={sheet['twoColumns']}>
      <RecordPicker
        label={t('stays.fromPoi')}
        base={records.poi}
        queryKey={['poi']}
        query={{ owner: 'all' }}
        value={null}
        onChange={take('poi')}
      />
      <RecordPicker label={t('stays.fromSit')} base={records.sit} queryKey={['sit']} value={null} onChange={take('sit')} />
    </div>
  )
}

/** Makes the voucher of a night from its settings; for a client, completed by those of the parcours' roadbook. */
export function NightVoucher({ step, at, model }: { step: Step; at: string; model: RoadbookSettings | undefined }) {
  const { t } = useTranslation('roadbook')
  const agency = useCan('agency.fields')
  const { parcours, form } = useSheet()
  // The numbers of vouchers begin with that of the parcours, or with that of the client file.
  const unsaved = useDirtyCount(form.store) > 0 && model === undefined
  const { value: own } = useField<RoadbookStay>(at)
  const stay = nightOver(
    own,
    model?.stays.find(({ step_id }) => step_id === step.id),
  )
  const { value: vouchers, set } = useField<RoadbookVoucher[]>('vouchers')
  const { value: clients } = useField<string[]>('clients')
  const { value: people } = useField<string | undefined>('people')
  const { value: startsOn } = useField<string | null>('starts_on')
  const make = () => {
    const meals = stay.meals.filter(({ included, name }) => included && name !== '').map(({ name }) => name)
    const service = [t('stays.nights', { count: nightsAt(step) }), ...meals].join(', ')
    const named = clients.filter((client) => client.trim() !== '').length
    const voucher = voucherOf(
      stay,
      step,
      dayOfNight(startsOn, nightsOf(parcours.steps), step),
      people || (named === 0 ? '' : String(named)),
      service,
    )
    set([...vouchers, voucher])
    toast({ text: t('stays.voucherMade', { provider: voucher.provider, place: vouchers.length + 1 }) })
  }
  const reason = agency ? (unsaved ? t('vouchers.saveFirst') : undefined) : t('reserved')
  return (
    <span>
      <Button size="small" disabledReason={reason} reasonShown onClick={make}>
        {t('stays.makeVoucher')}
      </Button>
    </span>
  )
}
