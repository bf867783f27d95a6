import { useMemo } from 'react'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'
import { BigButton, ScreenLink, Sure, useAsking } from '../parts'
import { lengthOf, type Recording } from '../track/recording'

/** The track that is being recorded: its length and its end; on the screen of another parcours a link to its own. */
export function RecordingState({
  recording: { parcoursId, parcoursName, points, problem },
  isHere,
  onFinish,
  onDrop,
}: {
  recording: Recording
  isHere: boolean
  onFinish: () => void
  onDrop: () => void
}) {
  const { t } = useTranslation('ground')
  const { asking, ask, ref, cancel } = useAsking()
  const lengthM = useMemo(() => lengthOf(points), [points])
  if (!isHere)
    return (
      <Banner tone="warn" live="status">
        <p>{t('track.elsewhere', { name: parcoursName })}</p>
        <ScreenLink to={{ screen: 'parcours', id: parcoursId }} look="plain">
          {parcoursName}
        </ScreenLink>
      </Banner>
    )
  return (
    <section className="row" aria-label={t('track.title')}>
      {problem !== null && (
        <Banner tone="danger" live="alert">
          <p>{t(problem)}</p>
          <p>{t('track.inMemory')}</p>
        </Banner>
      )}
      <p>{t('track.recorded', { distance: format.distance(lengthM) })}</p>
      {asking ? (
        <Sure question={t('track.dropSure')} yes={t('track.drop')} onYes={onDrop} onCancel={cancel} />
      ) : (
        <>
          <BigButton look="primary" aria-disabled={points.length < 2 || undefined} onClick={() => points.length > 1 && onFinish()}>
            {t('track.finish')}
          </BigButton>
          <BigButton ref={ref} onClick={ask}>
            {t('track.drop')}
          </BigButton>
        </>
      )}
    </section>
  )
}
