import { useTranslation } from '@/i18n'
import type { RoadbookSettings, RoadbookVoucher } from '@/api/types'
import { useCan } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { FieldTag } from '@/ui/field/Field'
import { Banner } from '@/ui/feedback/Banner'
import { TextAreaField, TextField } from '@/records/form/fields'
import { useDirtyCount, useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { useSheet } from '../context'
import sheet from '../sheet.module.css'
import { DayField } from './DayField'
import { ManyRows } from './ManyRows'

const blank: RoadbookVoucher = { provider: '', place: '', phone: '', date: null, service: '', people: '', settlement: '' }

/** The vouchers for the providers. Their numbers begin with the file number, so the parcours is saved first. For a client `model` is the
 * parcours' roadbook: its vouchers are printed where the client has none, numbered by the client file. */
export function VouchersCard({ model }: { model?: RoadbookSettings }) {
  const { t } = useTranslation('roadbook')
  const { parcours, form, goTo } = useSheet()
  const agency = useCan('agency.fields')
  const unsaved = useDirtyCount(form.store) > 0 && model === undefined
  const { value: vouchers } = useField<RoadbookVoucher[]>('vouchers')
  const { value: clients } = useField<string[]>('clients')
  const numbered = model !== undefined || (parcours.file_number ?? '') !== ''
  const usual = model?.vouchers ?? []
  const printed = vouchers.length > 0 ? vouchers : usual
  return (
    <Card title={t('vouchers.title')} aside={agency ? undefined : <FieldTag>{t('reserved')}</FieldTag>}>
      <ReadOnlyContext value={!agency || !parcours.editable}>
        <div className={sheet['fields']}>
          <p className="small muted">{t(model === undefined ? 'vouchers.text' : 'clientFiles.vouchersText')}</p>
          {vouchers.length === 0 && usual.length > 0 && <p className="small">{t('clientFiles.usualVouchers', { count: usual.length })}</p>}
          {vouchers.length > 0 && usual.length > 0 && <p className="small">{t('clientFiles.ownVouchers')}</p>}
          {vouchers.length > 0 && !numbered && (
            <Banner
              tone="warn"
              actions={
                agency && (
                  <Button size="small" onClick={() => goTo('file_number')}>
                    {t('vouchers.giveNumber')}
                  </Button>
                )
              }
            >
              {t('vouchers.noNumber')}
            </Banner>
          )}
          {printed.length > 0 && clients.every((client) => client.trim() === '') && <Banner tone="warn">{t('vouchers.noClient')}</Banner>}
          {unsaved && agency && <Banner tone="warn">{t('vouchers.saveFirst')}</Banner>}
          <ManyRows<RoadbookVoucher>
            name="vouchers"
            blank={blank}
            add={t('vouchers.add')}
            removeOf={(place) => t('vouchers.remove', { place })}
            disabledReason={unsaved ? t('vouchers.saveFirst') : undefined}
          >
            {(at) => (
              <div className={sheet['fields']}>
                <div className={sheet['twoColumns']}>
                  <TextField name={`${at}.provider`} label={t('vouchers.provider')} required />
                  <TextField name={`${at}.place`} label={t('vouchers.place')} />
                  <TextField name={`${at}.phone`} label={t('vouchers.phone')} />
                  <DayField name={`${at}.date`} label={t('vouchers.date')} />
                  <TextField name={`${at}.people`} label={t('vouchers.people')} hint={t('vouchers.peopleHint')} />
                </div>
                <TextAreaField name={`${at}.service`} label={t('vouchers.service')} required />
                <TextAreaField name={`${at}.settlement`} label={t('vouchers.settlement')} hint={t('vouchers.settlementHint')} />
              </div>
            )}
          </ManyRows>
        </div>
      </ReadOnlyContext>
    </Card>
  )
}
