import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { payload } from '@/api/payload'
import { ProblemError } from '@/api/problem'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { toastError } from '@/ui/feedback/toast'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from './import.module.css'
import { accepted, isHeic } from '@/records/media/import/kinds'
import { ApplyAll } from './ApplyAll'
import { toJpeg } from '@/records/media/import/poster'
import { running, useImports } from './running'
import type { ImportItem } from '@/records/media/import/store'

/** The files being uploaded, each with its progress and, when refused, its remedies; more files can be dropped here. */
export function ImportPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('media')
  const items = useImports()
  const count = (...states: ImportItem['state'][]) => items.filter(({ state }) => states.includes(state)).length
  const bytes = items.filter(({ state }) => state !== 'refused').reduce((sum, { file }) => sum + file.size, 0)
  const sent = items.filter(({ state }) => state !== 'refused').reduce((sum, { sentBytes }) => sum + sentBytes, 0)
  const [done, going, refused] = [count('done'), count('waiting', 'sending', 'processing', 'paused'), count('refused')]
  const mediaIds = items.flatMap(({ mediaId }) => (mediaId === null ? [] : [mediaId]))
  return (
    <section className={classes['panel']} aria-label={t('import.title')}>
      <div className={classes['head']}>
        <h2>{t('import.title')}</h2>
        <IconButton
          size="small"
          look="ghost"
          label={t('import.close')}
          icon={<IconX size={18} stroke={1.75} aria-hidden />}
          onClick={onClose}
        />
      </div>
      {items.length > 0 && (
        <div className={classes['sum']}>
          <p className="small" role="status">
            {[t('import.done', { count: done }), t('import.going', { count: going }), t('import.toReview', { count: refused })].join(', ')}
          </p>
          <Bar now={sent} max={bytes} label={t('import.progress')} />
        </div>
      )}
      <ul className={classes['list']}>
        {items.map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </ul>
      <DropPlace />
      {mediaIds.length > 0 && <ApplyAll ids={mediaIds} />}
      {mediaIds.length > 1 && (
        <ButtonLink size="small" to="/medias/rattacher" search={{ ids: mediaIds.join(',') }}>
          {t('import.attach')}
        </ButtonLink>
      )}
      {going > 0 && <p className="small muted">{t('import.mayLeave')}</p>}
      {items.some(({ state }) => state === 'done' || state === 'refused') && (
        <Button size="small" look="ghost" onClick={running.clear}>
          {t('import.clear')}
        </Button>
      )}
    </section>
  )
}

function Bar({ now, max, label }: { now: number; max: number; label: string }) {
  const share = max === 0 ? 0 : Math.round((now / max) * 100)
  return (
    <div className={classes['bar']} role="progressbar" aria-label={label} aria-valuenow={share} aria-valuemin={0} aria-valuemax={100}>
      <span style={{ width: `${share}%` }} />
    </div>
  )
}

const signs = {
  waiting: IconUpload,
  sending: IconUpload,
  paused: IconPlayerPause,
  processing: IconUpload,
  done: IconCircleCheck,
  refused: IconAlertCircle,
}

function Item({ item }: { item: ImportItem }) {
  const { t } = useTranslation('media')
  const { key, file, state, sentBytes, mediaId, problem } = item
  const Sign = signs[state]
  const name = file.name
  return (
    <li className={classes['item']} data-state={state}>
      <Sign size={18} stroke={1.75} aria-hidden />
      <div className={classes['words']}>
        {mediaId === null ? (
          <strong className="ellipsis">{name}</strong>
        ) : (
          <Link to="/medias/$id" params={{ id: String(mediaId) }} className="ellipsis">
            {name}
          </Link>
        )}
        {state === 'refused' ? (
          <p className={classes['why']} role="alert">
            {problemText(problem)}
          </p>
        ) : (
          <span className="small muted">
            {state === 'sending' || state === 'paused'
              ? t('import.of', { sent: format.bytes(sentBytes), total: format.bytes(file.size) })
              : t(`import.state.${state}`)}
          </span>
        )}
        {(state === 'sending' || state === 'paused') && <Bar now={sentBytes} max={file.size} label={t('import.progressOf', { name })} />}
        {state === 'refused' && <Remedies item={item} />}
      </div>
      {state === 'sending' && (
        <IconButton
          size="small"
          look="ghost"
          label={t('import.pause', { name })}
          icon={<IconPlayerPause size={16} stroke={1.75} aria-hidden />}
          onClick={() => running.pause(key)}
        />
      )}
      {state === 'paused' && (
        <IconButton
          size="small"
          look="ghost"
          label={t('import.resume', { name })}
          icon={<IconPlayerPlay size={16} stroke={1.75} aria-hidden />}
          onClick={() => running.resume(key)}
        />
      )}
    </li>
  )
}

/** The remedies of a refusal: convert, try again, choose another file, remove it. */
function Remedies({ item: { key, file, problem } }: { item: ImportItem }) {
  const { t } = useTranslation('media')
  const other = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const retriable = problem instanceof ProblemError && (problem.status === 0 || problem.status >= 500)
  const convert = async () => {
    setBusy(true)
    try {
      running.replace(key, await toJpeg(file))
    } catch {
      toastError(t('import.cannotConvert', { name: file.name }))
      setBusy(false)
    }
  }
  return (
    <span className={classes['remedies']}>
      {isHeic(file.name) && (
        <Button look="link" size="small" busy={busy} onClick={() => void convert()}>
          {t('import.convert')}
        </Button>
      )}
      {retriable ? (
        <Button look="link" size="small" onClick={() => running.resume(key)}>
          {t('common:retry')}
        </Button>
      ) : (
        <Button look="link" size="small" onClick={() => other.current?.click()}>
          {t('import.another')}
        </Button>
      )}
      <Button look="link" size="small" onClick={() => running.remove(key)}>
        {t('import.remove')}
      </Button>
      <input
        ref={other}
        type="file"
        hidden
        accept={accepted}
        onChange={(event) => {
          const [file_] = event.target.files ?? []
          if (file_ !== undefined) running.replace(key, file_)
        }}
      />
    </span>
  )
}

/** The choice of files, with the limits; files may be dropped anywhere on the page. */
function DropPlace() {
  const { t } = useTranslation('media')
  const limits = payload().limits.media
  return (
    <label className={classes['drop']}>
      <input
        type="file"
        multiple
        className="visually-hidden"
        accept={accepted}
        onChange={(event) => {
          running.add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <strong>{t('import.drop')}</strong>
      {limits !== undefined && (
        <span className="small muted">
          {t('import.limits', {
            width: format.number(limits.image.min_width ?? 0),
            height: format.number(limits.image.min_height ?? 0),
            image: format.bytes(limits.image.max_bytes),
            video: format.bytes(limits.video.max_bytes),
            audio: format.bytes(limits.audio.max_bytes),
            pdf: format.bytes(limits.pdf.max_bytes),
            font: format.bytes(limits.font.max_bytes),
          })}{' '}
          {t('import.advice', {
            video: format.bytes(limits.video.advice_bytes_per_s ?? 0),
            audio: format.bytes(limits.audio.advice_bytes_per_min ?? 0),
          })}
        </span>
      )}
    </label>
  )
}
