import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { format, textOf } from '@/ui/format'
import type { Download } from '../downloads/types'
import { nextStep } from '../position/follow'
import type { Followed } from '../position/useFollow'
import type { Positioning } from '../position/usePosition'

/** Where the person is, in words. The distance is not announced at each position, the alarm is. */
export function Where({ download, positioning, followed, follow }: { download: Download; positioning: Positioning; followed: Followed; follow: boolean }) {
  const { t } = useTranslation('ground')
  const { fix, problem } = positioning
  const { onLine, isOff } = followed
  const next = onLine === null ? null : nextStep(download.parts.steps, onLine.atM)
  return (
    <>
      <div role="alert">{follow && isOff && onLine !== null && <Banner tone="danger">{t('follow.off', { distance: format.metres(onLine.offsetM) })}</Banner>}</div>
      {problem !== null && fix === null && (
        <Banner tone="warn" live="status">
          {t(`follow.${problem}`)}
        </Banner>
      )}
      {fix !== null && (
        <dl className="facts">
          <dt>{t('follow.accuracy')}</dt>
          <dd>{t('follow.within', { accuracy: format.metres(fix.accuracyM) })}</dd>
          {onLine !== null && (
            <>
              <dt>{t('follow.toLine')}</dt>
              <dd>{format.distance(onLine.offsetM)}</dd>
              <dt>{t('follow.at')}</dt>
              <dd>{format.km(onLine.atM)}</dd>
            </>
          )}
          {next !== null && (
            <>
              <dt>{t('follow.next')}</dt>
              <dd>{t('follow.nextIn', { step: textOf(next.step.title), distance: format.distance(next.inM) })}</dd>
            </>
          )}
        </dl>
      )}
    </>
  )
}
