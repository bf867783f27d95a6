import type { PlannerPreference } from '@/api/types'
import { payload } from '@/api/payload'
import { useTranslation } from '@/i18n'
import { Checkbox, Segments } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { format } from '@/ui/format'
import { profileName } from '@/records/parcours/planner-profile'
import resource from '@/records/resource/resource.module.css'
import classes from './white-labels.module.css'

const respects = ['signed', 'quiet', 'gentle', 'paved'] as const
const levels = ['less', 'usual', 'more'] as const
const asIs: PlannerPreference = { signed: 'usual', quiet: 'usual', gentle: 'usual', paved: 'usual' }

/** The offered profiles of the planner, and the preferences of each. */
export function Planner() {
  const { t } = useTranslation('whiteLabels')
  const { value, set } = useField<string[]>('planner_profiles')
  return (
    <div data-field="planner_profiles" className={resource['fields']}>
      <p className="small muted">{t('plannerHint')}</p>
      {payload().profiles.map((profile) => {
        const name = profileName(profile)
        return (
          <div key={profile} className={classes['profile']}>
            <Checkbox
              checked={value.includes(profile)}
              label={name}
              onChange={(on) => set(on ? [...value, profile] : value.filter((one) => one !== profile))}
            />
            <Preferences profile={profile} name={name} />
          </div>
        )
      })}
    </div>
  )
}

function Preferences({ profile, name }: { profile: string; name: string }) {
  const { t } = useTranslation('whiteLabels')
  const { value, set } = useField<Record<string, PlannerPreference>>('planner_preferences')
  const now = value[profile] ?? asIs
  const bent = respects.filter((one) => now[one] !== 'usual').length
  return (
    <details className={classes['preferences']} data-field="planner_preferences">
      <summary>
        {t('preference.title')}
        <span className="visually-hidden">
          {format.colon()}
          {name}
        </span>
        {bent > 0 && <span className="muted"> · {t('preference.bent', { count: bent })}</span>}
      </summary>
      <p className="small muted">{t('preference.hint')}</p>
      {respects.map((one) => (
        <div key={one} className={classes['preference']}>
          <span aria-hidden="true">{t(`preference.${one}`)}</span>
          <Segments
            label={`${name}, ${t(`preference.${one}`)}`}
            value={now[one]}
            onChange={(level) => set({ ...value, [profile]: { ...now, [one]: level } })}
            choices={levels.map((level) => ({ value: level, label: t(`preference.${level}`) }))}
          />
        </div>
      ))}
    </details>
  )
}
