import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Badge } from '@/ui/badge/Badge'
import { OwnerBadge } from '@/records/badge/record-badges'
import { Button, ButtonAnchor } from '@/ui/button/Button'
import { SaveButton } from '@/records/form/ResourceForm'
import { useVocabulary } from '@/records/form/vocabulary'
import { format, textOf } from '@/ui/format'
import { PageHeader } from '@/ui/PageHeader'
import { Glyph } from '@/records/ribbon/Ribbon'
import { Tabs } from '@/ui/Tabs'
import { useSheet } from '../context'
import classes from '../sheet.module.css'
import { tabKeys, type TabKey } from '../tabs'
import { useTabCounts } from '../useTabCounts'
import { glyphOf } from '../trace-view'
import { HeaderMenu } from './HeaderMenu'
import { Presence } from './Presence'
import { Publication } from './Publication'
import { PublishButton, publicPageOf } from './PublishButton'
import { ViewSwitch } from './ViewSwitch'

/** The title and the state of the parcours, its actions, and its tabs. */
export function SheetHeader({ tab }: { tab: TabKey }) {
  const { t } = useTranslation('sheet')
  const { parcours, form, trace } = useSheet()
  const line = trace?.line
  const glyph = useMemo(() => (line === undefined ? null : glyphOf(line)), [line])
  return (
    <div className={classes['head']}>
      <Link to="/parcours" className={classes['back']}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('crumb.parcours')}
      </Link>
      <PageHeader
        title={textOf(parcours.title)}
        picture={<Glyph path={glyph} source={parcours.trace?.mode === 'source'} size={46} />}
        facts={<Facts />}
        actions={
          <>
            <Preview />
            <HeaderMenu />
            {parcours.editable && (
              <>
                <span className={classes['deskOnly']}>
                  <PublishButton />
                </span>
                <span className={classes['deskOnly']}>
                  <SaveButton form={form} />
                </span>
              </>
            )}
          </>
        }
      >
        <div className={classes['tabRow']}>
          <SheetTabs tab={tab} />
          <ViewSwitch />
        </div>
      </PageHeader>
    </div>
  )
}

function Facts() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const practices = useVocabulary('practice_type')
  const { trace } = parcours
  const facts = [
    practices.nameOf(parcours.practice_type_id),
    parcours.is_loop === null ? undefined : t(parcours.is_loop ? 'loop.loop' : 'loop.oneWay'),
    parcours.is_stay === true ? t('stay.stay') : undefined,
    typeof trace?.distance_m === 'number' ? format.distance(trace.distance_m) : undefined,
    typeof trace?.duration_s === 'number' ? format.duration(trace.duration_s) : undefined,
  ].filter((fact) => fact !== undefined)
  return (
    <>
      <Publication />
      {!parcours.mine && <OwnerBadge name={parcours.white_label.name} />}
      {parcours.progress_status !== null && <Badge tone="info">{t(`progress.${parcours.progress_status}`)}</Badge>}
      <ClosedBadge />
      <ReliabilityBadge />
      {facts.length > 0 && <span className="num">{facts.join(' · ')}</span>}
      <Presence />
    </>
  )
}

/** Shut somewhere today. */
function ClosedBadge() {
  const { t } = useTranslation('sheet')
  const { closures } = useSheet().parcours
  if (!closures.some(({ state }) => state === 'now')) return null
  return (
    <Badge tone="danger" icon={IconBarrierBlock}>
      {t('closures.now')}
    </Badge>
  )
}

function ReliabilityBadge() {
  const { t } = useTranslation('sheet')
  const { trace } = useSheet().parcours
  if (trace === null) return null
  const { reliability, reliability_state: state } = trace
  if (state === 'source') return <Badge>{t('badge.source')}</Badge>
  if (state === 'not_calculable')
    return (
      <Badge tone="warn" icon={IconAlertTriangle}>
        {t('badge.notCalculable')}
      </Badge>
    )
  if (reliability?.percent == null || state === 'none') return null
  const words = t('badge.reliability', { percent: format.percent(reliability.percent) })
  if (state === 'stale') return <Badge title={t('reliability.stale')}>{words}</Badge>
  const low = reliability.percent < payload().reliability_threshold
  return (
    <Badge tone={low ? 'warn' : 'ok'} icon={low ? IconAlertTriangle : IconCircleCheck}>
      {words}
    </Badge>
  )
}

/** The public page, as visitors see it; it exists once published. */
function Preview() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const eye = <IconEye size={18} stroke={1.75} aria-hidden />
  const words = <span className={classes['deskWords']}>{t('preview')}</span>
  if (!parcours.published) {
    return (
      <Button look="ghost" icon={eye} aria-label={t('preview')} disabledReason={t('publishFirst')}>
        {words}
      </Button>
    )
  }
  return (
    <ButtonAnchor look="ghost" icon={eye} href={publicPageOf(parcours.id)} target="_blank" rel="noopener" aria-label={t('previewNew')}>
      {words}
    </ButtonAnchor>
  )
}

function SheetTabs({ tab }: { tab: TabKey }) {
  const { t } = useTranslation('sheet')
  const { parcours, form } = useSheet()
  const counts = useTabCounts(form.store)
  return (
    <Tabs
      label={t('tabs')}
      tabs={tabKeys.map((key) => ({
        key,
        label: t(`tab.${key}`),
        count: counts[key].dirty + counts[key].faults === 0 ? undefined : <Unsaved {...counts[key]} />,
        current: key === tab,
        link: { to: '/parcours/$id', params: { id: String(parcours.id) }, search: { tab: key } },
      }))}
    />
  )
}

/** The number of unsaved fields of a tab, and of fields that the server refused. */
function Unsaved({ dirty, faults }: { dirty: number; faults: number }) {
  const { t } = useTranslation('sheet')
  return (
    <>
      {dirty > 0 && (
        <span title={t('unsaved', { count: dirty })}>
          <span aria-hidden="true">{dirty}</span>
          <span className="visually-hidden">{t('unsaved', { count: dirty })}</span>
        </span>
      )}
      {faults > 0 && (
        <span className={classes['tabFault']} title={t('faults', { count: faults })}>
          <IconAlertTriangle size={13} stroke={2} aria-hidden />
          <span className="visually-hidden">{t('faults', { count: faults })}</span>
        </span>
      )}
    </>
  )
}
