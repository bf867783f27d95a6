import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { MediaField, MediaListField } from '@/records/form/MediaField'
import { useSheet } from '../context'
import { Shown } from '../Shown'
import classes from '../sheet.module.css'

/** The media of the parcours in their order; the first is its cover. Beside them its sounds: the main one, and those between two steps. */
export function MediaCard() {
  const { t } = useTranslation('sheet')
  const heard = useSheet().parcours.audio_main_media_id !== undefined
  return (
    <Card title={t('medias.title')}>
      <div className={classes['fields']}>
        <MediaListField name="media_ids" label={t('field.media_ids')} hint={t('medias.hint')} cover />
        {heard && (
          <div className={classes['twoColumns']}>
            <Shown field="audio_main_media_id">
              <MediaField name="audio_main_media_id" label={t('field.audio_main_media_id')} hint={t('medias.audioMainHint')} kind="audio" />
            </Shown>
            <Shown field="audio_transition_media_id">
              <MediaField
                name="audio_transition_media_id"
                label={t('field.audio_transition_media_id')}
                hint={t('medias.audioTransitionHint')}
                kind="audio"
              />
            </Shown>
          </div>
        )}
      </div>
    </Card>
  )
}
