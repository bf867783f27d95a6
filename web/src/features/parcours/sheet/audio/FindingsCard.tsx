import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { AudioFinding, AudioStop, AudioWalkView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Count } from '@/ui/badge/Badge'
import { Card } from '@/ui/Card'
import { useField } from '@/records/form/form-context'
import { format } from '@/ui/format'
import classes from './audio.module.css'
import { seconds } from './seconds'

/** A figure with its unit: metres, seconds, bytes a minute. */
function worded(kind: AudioFinding['kind'], value: number | null): string {
  if (value === null) return ''
  if (kind === 'too_long') return seconds(value)
  if (kind === 'heavy') return format.bytes(value)
  return format.metres(value)
}

/** The points to check before the walk is used, in the order of the walk. */
export function FindingsCard({ view, choose }: { view: AudioWalkView; choose: (index: number) => void }) {
  const { t } = useTranslation('audioWalk')
  const { value: stops } = useField<AudioStop[]>('stops')
  const found = view.version === 0 ? [] : view.findings
  const indexOf = (story: string) => stops.findIndex(({ id }) => id !== 0 && story === `stop/${id}`)
  const nameOf = (story: string) => {
    if (story === 'intro' || story === 'outro') return t(`walk.${story}`)
    const index = indexOf(story)
    const title = stops[index]?.title ?? ''
    return title === '' ? t('stops.unnamed', { place: index + 1 }) : title
  }
  return (
    <Card
      title={
        <>
          {t('findings.title')} <Count>{found.length}</Count>
        </>
      }
    >
      {found.length === 0 ? (
        <p className="small muted">{t(view.version === 0 ? 'findings.notYet' : 'findings.none')}</p>
      ) : (
        <ul className={classes['findings']}>
          {found.map((finding) => {
            const index = indexOf(finding.story)
            const words = t(`finding.${finding.kind}`, {
              value: worded(finding.kind, finding.value),
              limit: worded(finding.kind, finding.limit),
            })
            return (
              <li key={`${finding.story} ${finding.kind}`}>
                <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
                <span>
                  {index === -1 ? (
                    <strong>{nameOf(finding.story)}</strong>
                  ) : (
                    <button type="button" className={classes['go']} onClick={() => choose(index)}>
                      {nameOf(finding.story)}
                    </button>
                  )}
                  {format.colon()}
                  {words}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
