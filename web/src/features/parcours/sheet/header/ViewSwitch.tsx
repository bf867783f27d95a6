import { useTranslation } from '@/i18n'
import { Segments } from '@/ui/field/inputs'
import { useSheet } from '../context'
import classes from '../sheet.module.css'

/** The level of detail of the screen; stored for the user. */
export function ViewSwitch() {
  const { t } = useTranslation('sheet')
  const { advanced, setAdvanced } = useSheet()
  return (
    <div className={classes['viewSwitch']}>
      <Segments
        label={t('view.label')}
        value={advanced ? 'advanced' : 'simple'}
        onChange={(value) => setAdvanced(value === 'advanced')}
        choices={[
          { value: 'simple', label: t('view.simple') },
          { value: 'advanced', label: t('view.advanced') },
        ]}
      />
    </div>
  )
}
