import type { AudioWalkView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { CheckField, SelectField } from '@/records/form/choice-fields'
import { MediaField } from '@/records/form/MediaField'
import sheet from '../sheet.module.css'
import classes from './audio.module.css'
import { StoryFields } from './StoryFields'

/** Whether the walk is shown, how visitors travel, and the sounds before and after the stops. */
export function WalkCard({ view }: { view: AudioWalkView }) {
  const { t } = useTranslation('audioWalk')
  const soundOf = (name: string) => (view.version === 0 ? undefined : view.sounds.find(({ story }) => story === name))
  return (
    <>
      <Card title={t('walk.title')}>
        <div className={sheet['fields']}>
          <CheckField name="enabled" label={t('walk.enabled')} hint={t('walk.enabledHint')} />
          <div className={sheet['twoColumns']}>
            <SelectField
              name="going"
              label={t('walk.going')}
              choices={(['walking', 'cycling'] as const).map((value) => ({ value, label: t(`going.${value}`) }))}
            />
            <SelectField
              name="playback"
              label={t('walk.playback')}
              choices={(['sequential', 'free'] as const).map((value) => ({ value, label: t(`playback.${value}`) }))}
            />
          </div>
          <MediaField name="transition_media_id" label={t('walk.transition')} hint={t('walk.transitionHint')} kind="audio" />
        </div>
      </Card>
      <Card title={t('walk.intro')}>
        <div className={classes['story']}>
          {view.intro_of_sheet && <p className="small muted">{t('walk.introOfSheet')}</p>}
          <StoryFields at="intro" sound={soundOf('intro')} view={view} label={t('walk.intro')} />
        </div>
      </Card>
      <Card title={t('walk.outro')}>
        <div className={classes['story']}>
          <StoryFields at="outro" sound={soundOf('outro')} view={view} label={t('walk.outro')} />
        </div>
      </Card>
    </>
  )
}
