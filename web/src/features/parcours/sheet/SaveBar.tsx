import { useTranslation } from '@/i18n'
import { barHeightRef } from '@/ui/bar-height'
import { Button } from '@/ui/button/Button'
import { useDirtyCount } from '@/records/form/form-context'
import { useSheet } from './context'
import classes from './sheet.module.css'

/** On a phone: the number of unsaved changes and the button, always in reach. */
export function SaveBar() {
  const { t } = useTranslation('sheet')
  const { form } = useSheet()
  const count = useDirtyCount(form.store)
  if (count === 0) return null
  return (
    <div ref={barHeightRef} className={classes['saveBar']}>
      <span className="small grow">
        <strong>{t('changes', { count })}</strong>
        <br />
        <span className="tiny muted">{t('keptHere')}</span>
      </span>
      <Button look="primary" busy={form.saving} onClick={() => void form.save()}>
        {t('common:save')}
      </Button>
    </div>
  )
}
