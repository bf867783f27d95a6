import { useContext } from 'react'
import type { AudioWalkView, StorySound } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Field, ReadOnly } from '@/ui/field/Field'
import { TextArea } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { MediaField } from '@/records/form/MediaField'
import { ReadOnlyContext } from '@/records/form/read-only'
import classes from './audio.module.css'
import { SoundBadge } from './SoundBadge'

/** A sound: a text read by a voice, or a recording; its text to read; and a player of the sound as saved. */
export function StoryFields({ at, sound, view, label }: { at: string; sound: StorySound | undefined; view: AudioWalkView; label: string }) {
  const { t } = useTranslation('audioWalk')
  const recorded = useField<number | null>(`${at}.media_id`).value !== null
  return (
    <>
      {!recorded && <Lines name={`${at}.text`} label={t('story.text')} hint={t('story.textHint')} language={view.language} rows={5} />}
      <Lines
        name={`${at}.transcript`}
        label={t('story.transcript')}
        hint={t(recorded ? 'story.transcriptOfRecording' : 'story.transcriptHint')}
        language={view.language}
        rows={recorded ? 4 : 2}
      />
      <MediaField name={`${at}.media_id`} label={t('story.recording')} hint={t('story.recordingHint')} kind="audio" />
      {sound !== undefined && (
        <div className={classes['sound']}>
          <SoundBadge sound={sound} />
          {/* The text of the sound is beside it. */}
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
          {sound.url !== null && <audio controls preload="none" src={sound.url} aria-label={t('story.listen', { name: label })} />}
        </div>
      )}
    </>
  )
}

/** Several lines in the language of the walk. */
function Lines({ name, label, hint, language, rows }: { name: string; label: string; hint: string; language: string; rows: number }) {
  const { value, set, error } = useField<string>(name)
  if (useContext(ReadOnlyContext)) return <ReadOnly label={label}>{value}</ReadOnly>
  return (
    <Field label={label} hint={hint} error={error} path={name} count={{ now: value.length, max: 10_000 }}>
      {(wiring) => <TextArea {...wiring} lang={language} spellCheck rows={rows} value={value} onChange={set} />}
    </Field>
  )
}
