import { useTranslation } from '@/i18n'
import { useCan, useMe } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { FieldTag } from '@/ui/field/Field'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { format } from '@/ui/format'
import { NumberField, TextField, TranslatedField } from '@/records/form/fields'
import { useSheet } from '../context'
import { Inherit } from '../Inherit'
import { Shown, useShown } from '../Shown'
import classes from '../sheet.module.css'
import { tabFields } from '../tabs'

const bookingFields = ['booking_url', 'booking_label', 'bookable']
const priceFields = ['price_cents', 'max_price_cents', 'price_includes', 'price_excludes', 'deposit_percent', 'file_number']

/** Sales and booking; most of it is for travel agencies. */
export function SalesTab() {
  const { t } = useTranslation('sheet')
  const { setAdvanced, parcours } = useSheet()
  const any = useShown(tabFields.sales)
  const priced = useShown(priceFields)
  const booked = useShown(bookingFields)
  if (!any) {
    return (
      <Card>
        <EmptyState
          title={t('sales.simple')}
          text={t('sales.simpleText')}
          actions={parcours.editable && <Button onClick={() => setAdvanced(true)}>{t('sales.goAdvanced')}</Button>}
        />
      </Card>
    )
  }
  return (
    <>
      {priced && <PriceCard />}
      {booked && <BookingCard />}
    </>
  )
}

function PriceCard() {
  const { t } = useTranslation('sheet')
  const agency = useCan('agency.fields')
  const { parcours } = useSheet()
  const { deposit_percent: own } = useMe()
  const locked = !agency
  // The settings of another white-label are not known here.
  const depositHint = !parcours.mine
    ? t('sales.depositHint')
    : own === 0
      ? t('sales.depositNone')
      : t('sales.depositOwn', { percent: format.percent(own, 0) })
  return (
    <Card title={t('sales.price')} aside={locked && parcours.editable ? <FieldTag>{t('sales.reserved')}</FieldTag> : undefined}>
      <div className={classes['fields']}>
        <div className={classes['threeColumns']}>
          <Shown field="price_cents">
            <NumberField name="price_cents" label={t('field.price_cents')} unit="€" decimals={2} scale={100} readOnly={locked} />
          </Shown>
          <Shown field="max_price_cents">
            <NumberField name="max_price_cents" label={t('field.max_price_cents')} unit="€" decimals={2} scale={100} readOnly={locked} />
          </Shown>
          <Shown field="deposit_percent">
            <NumberField name="deposit_percent" label={t('field.deposit_percent')} unit="%" hint={depositHint} readOnly={locked} />
          </Shown>
        </div>
        <Shown field="price_includes">
          <TranslatedField name="price_includes" kind="rich" label={t('field.price_includes')} readOnly={locked} />
        </Shown>
        <Shown field="price_excludes">
          <TranslatedField name="price_excludes" kind="rich" label={t('field.price_excludes')} readOnly={locked} />
        </Shown>
        <Shown field="file_number">
          <TextField name="file_number" label={t('field.file_number')} max={100} hint={t('sales.fileHint')} readOnly={locked} />
        </Shown>
      </div>
    </Card>
  )
}

function BookingCard() {
  const { t } = useTranslation('sheet')
  const agency = useCan('agency.fields')
  return (
    <Card title={t('sales.booking')}>
      <div className={classes['fields']}>
        <Shown field="booking_url">
          <TextField name="booking_url" type="url" inputMode="url" label={t('field.booking_url')} placeholder="https://" />
        </Shown>
        <Shown field="booking_label">
          <TranslatedField name="booking_label" label={t('field.booking_label')} max={100} hint={t('sales.labelHint')} />
        </Shown>
        <Shown field="bookable">
          {agency ? (
            <Inherit name="bookable" label={t('field.bookable')} />
          ) : (
            <Inherit name="bookable" label={t('field.bookable')} locked={<FieldTag>{t('sales.reserved')}</FieldTag>} />
          )}
        </Shown>
      </div>
    </Card>
  )
}
