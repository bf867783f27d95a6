import IconMicrophone from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AudioWalkView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Progress } from '@/ui/feedback/Progress'
import { toastError } from '@/ui/feedback/toast'
import { useDirtyCount } from '@/records/form/form-context'
import type { FormStore } from '@/records/form/store'
import { faultText, problemText } from '@/records/problem-text'
import classes from './audio.module.css'
import { speak, stopSpeaking, walkQuery } from './queries'
import type { WalkValues } from './walk'

/** Having the texts read: how many are left, how far it is, why it stopped. */
export function SpeechBar({ view, store }: { view: AudioWalkView; store: FormStore<WalkValues> }) {
  const { t } = useTranslation('audioWalk')
  const cache = useQueryClient()
  const { id, language, job } = view
  const key = walkQuery(id, language).queryKey
  const begin = useMutation({ mutationFn: () => speak(id, language), onSuccess: (next) => cache.setQueryData(key, next) })
  const stop = useMutation({
    mutationFn: () => stopSpeaking(id, language),
    onError: (error) => toastError(problemText(error)),
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  })
  const dirty = useDirtyCount(store)
  const unsaid = view.sounds.filter(({ source }) => source === 'unsaid').length
  const running = job?.state === 'running'
  const reason = dirty > 0 || view.version === 0 ? t('speech.saveFirst') : unsaid === 0 ? t('speech.nothing') : undefined
  if (!view.editable) return null
  return (
    <Card title={t('speech.title')}>
      <div className={classes['speech']}>
        <p className="small muted">{t('speech.hint')}</p>
        {running ? (
          <>
            <Progress total={job.total} done={job.done}>
              {t(job.cancelling ? 'speech.stopping' : 'speech.running', { done: job.done, total: job.total })}
            </Progress>
            <Button size="small" busy={job.cancelling || stop.isPending} onClick={() => stop.mutate()}>
              {t('speech.stop')}
            </Button>
          </>
        ) : (
          <>
            {job?.state === 'failed' && job.failure !== null && (
              <Banner tone="danger" live="alert">
                {t('because', {
                  what: t('speech.failed', { done: job.done, total: job.total }),
                  why: faultText({ code: job.failure.code, params: job.failure.params ?? {} }),
                })}
              </Banner>
            )}
            {begin.isError && (
              <Banner tone="danger" live="alert">
                {problemText(begin.error)}
              </Banner>
            )}
            <Button
              icon={<IconMicrophone size={18} stroke={1.75} aria-hidden />}
              busy={begin.isPending}
              disabledReason={reason}
              reasonShown
              onClick={() => begin.mutate()}
            >
              {unsaid === 0 ? t('speech.title') : t('speech.start', { count: unsaid })}
            </Button>
            <p role="status" className={job?.state === 'done' && unsaid === 0 ? 'small muted' : 'visually-hidden'}>
              {job?.state === 'done' && unsaid === 0 ? t('speech.done', { count: job.done }) : ''}
            </p>
          </>
        )}
      </div>
    </Card>
  )
}
