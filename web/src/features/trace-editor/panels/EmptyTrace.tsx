import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Button } from '@/ui/button/Button'
import { EmptyState } from '@/ui/feedback/EmptyState'
import { format } from '@/ui/format'
import classes from './import.module.css'

/** Nothing yet: drop a file, draw, or have a loop proposed. */
export function EmptyTrace({ onImport, onDraw, onLoop }: { onImport: () => void; onDraw: () => void; onLoop: () => void }) {
  const { t } = useTranslation('trace')
  const { trace_bytes, trace_points } = payload().limits
  return (
    <div className={classes['empty']}>
      <EmptyState
        title={t('empty.title')}
        text={t('empty.text', { bytes: format.bytes(trace_bytes), points: format.number(trace_points) })}
        actions={
          <>
            <Button look="primary" onClick={onImport}>
              {t('empty.import')}
            </Button>
            <Button onClick={onDraw}>{t('empty.draw')}</Button>
            <Button onClick={onLoop}>{t('empty.loop')}</Button>
          </>
        }
      />
    </div>
  )
}
