import { memo, useId } from 'react'
import { useTranslation } from '@/i18n'
import { MediaThumb } from '@/records/media/MediaThumb'
import { PickOne } from '@/records/picker/lazy-pickers'
import { Button } from '@/ui/button/Button'
import { Checkbox, SelectInput } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import classes from './attach.module.css'
import type { Kind, Proposal } from './match'
import { sources } from './records'
import type { Row } from './rows'

/** How the records were searched for; it chooses the message of a photo without a record. */
export type How = 'name' | 'place' | 'table'

interface PhotoRowProps {
  row: Row
  kind: Kind
  how: How
  withinM: number
  /** Another record is being searched for, in place of what was found. */
  isPicking: boolean
  isBusy: boolean
  onTick: (key: string) => void
  onChoose: (key: string, id: number | null) => void
  onPick: (key: string) => void
}

/** A photo, the record to attach it to, which can be changed, and the reason for it. */
export const PhotoRow = memo(function PhotoRow({ row, kind, how, withinM, isPicking, isBusy, onTick, onChoose, onPick }: PhotoRowProps) {
  const { t } = useTranslation('attach')
  const { match, media, recordId, isAttached, isTicked } = row
  const { key } = match
  const name = media.file_name
  return (
    <tr data-chosen={isTicked || undefined}>
      <td className={classes['tick']}>
        <Checkbox
          bare
          checked={isTicked}
          disabled={recordId === null || isAttached || isBusy}
          onChange={() => onTick(key)}
          label={t('tick', { name })}
        />
      </td>
      <th scope="row">
        <span className={classes['photo']}>
          <MediaThumb media={media} named />
          <span>{name}</span>
        </span>
      </th>
      <td data-label={t('column.record')}>
        <Target row={row} kind={kind} isPicking={isPicking} isBusy={isBusy} onChoose={onChoose} onPick={onPick} />
      </td>
      <td data-label={t('column.why')}>
        <Why row={row} how={how} withinM={withinM} />
      </td>
    </tr>
  )
})

type TargetProps = Pick<PhotoRowProps, 'row' | 'kind' | 'isPicking' | 'isBusy' | 'onChoose' | 'onPick'>

function Target({ row: { match, media, recordId, taken, isAttached }, kind, isPicking, isBusy, onChoose, onPick }: TargetProps) {
  const { t } = useTranslation('attach')
  const id = useId()
  const { key, proposals } = match
  const name = media.file_name
  const wiring = { id, 'aria-describedby': undefined, 'aria-invalid': undefined, 'aria-required': undefined } as const
  const label = (
    <label htmlFor={id} className="visually-hidden">
      {t('recordFor', { name })}
    </label>
  )
  const another = (
    <Button size="small" look="link" aria-label={t('changeFor', { name })} onClick={() => onPick(key)}>
      {t('change')}
    </Button>
  )
  if (isBusy || isAttached) {
    if (recordId === null) return <span className="muted">–</span>
    if (taken !== undefined) return <Titled proposal={taken} />
  }
  if (isPicking || proposals.length === 0)
    return (
      <>
        {label}
        <PickOne wiring={wiring} {...sources[kind]} value={recordId} onChange={(chosen) => onChoose(key, chosen)} placeholder={t('pick')} />
      </>
    )
  if (proposals.length > 1)
    return (
      <span className={classes['several']}>
        {label}
        <SelectInput
          {...wiring}
          value={recordId === null ? null : String(recordId)}
          onChange={(chosen) => onChoose(key, chosen === null ? null : Number(chosen))}
          choices={proposals.map((proposal) => ({ value: String(proposal.id), label: nameOf(proposal, t) }))}
          empty={t('choose', { total: proposals.length })}
        />
        <Button size="small" look="link" aria-label={t('otherFor', { name })} onClick={() => onPick(key)}>
          {t('other')}
        </Button>
      </span>
    )
  return (
    <span className={classes['one']}>
      {taken !== undefined && <Titled proposal={taken} />}
      {another}
    </span>
  )
}

const nameOf = ({ id, title, reason }: Proposal, t: ReturnType<typeof useTranslation<'attach'>>['t']): string =>
  reason.how === 'place'
    ? t('recordAt', { title: textOf(title), id, distance: format.distance(reason.distanceM) })
    : t('record', { title: textOf(title), id })

function Titled({ proposal: { id, title } }: { proposal: Proposal }) {
  const { t } = useTranslation('attach')
  return (
    <span>
      {textOf(title)} <span className="small muted nowrap">{t('recordNumber', { id })}</span>
    </span>
  )
}

function Why({ row: { match, reason, isAttached }, how, withinM }: Pick<PhotoRowProps, 'row' | 'how' | 'withinM'>) {
  const { t } = useTranslation('attach')
  if (isAttached) return <strong>{t('why.attached')}</strong>
  if (reason === null) {
    if (match.proposals.length > 1) return t('why.several')
    if (match.lack !== undefined) return t(({ place: 'why.noPlace', line: 'why.noLine', compared: 'why.notCompared' } as const)[match.lack])
    if (how === 'place') return t('why.noNear', { distance: format.distance(withinM) })
    return t(how === 'name' ? 'why.noName' : 'why.noRecord')
  }
  if (reason.how === 'place') return t('why.place', { distance: format.distance(reason.distanceM) })
  if (reason.how === 'line') return t('why.line', { line: reason.line })
  return t(`why.${reason.how}`)
}
