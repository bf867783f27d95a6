import type { StorySound } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge, type Tone } from '@/ui/badge/Badge'
import { seconds } from './seconds'

const tones: Record<StorySound['source'], Tone> = { recording: 'ok', voice: 'ok', unsaid: 'warn', nothing: 'neutral' }

/** The source and the length of the sound of a story. */
export function SoundBadge({ sound }: { sound: StorySound | undefined }) {
  const { t } = useTranslation('audioWalk')
  if (sound === undefined) return <Badge>{t('sound.unsaved')}</Badge>
  const length = sound.duration_s === null ? '' : ` · ${sound.source === 'unsaid' ? '~' : ''}${seconds(sound.duration_s)}`
  return (
    <Badge tone={tones[sound.source]}>
      {t(`sound.${sound.source}`)}
      {length}
    </Badge>
  )
}
