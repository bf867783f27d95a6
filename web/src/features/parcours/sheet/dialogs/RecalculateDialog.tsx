import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Checkbox } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { ImpactNote } from '@/records/impact/ImpactNote'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../context'
import { currentOf } from '../retry-on-conflict'
import { parcoursQuery, recalculate } from '../queries'

/** Plans the trace again from its source, with its reliability. Distances typed by a person are replaced only if the user ticks that. */
export function RecalculateDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return opened ? <OpenDialog onClose={onClose} /> : null
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sheet')
  const { parcours, cacheRecord, openTab } = useSheet()
  const [forced, setForced] = useState(false)
  const cache = useQueryClient()
  const before = parcours.trace?.reliability?.percent
  const send = useMutation({
    mutationFn: () => recalculate(parcours.id, parcours.version, forced),
    onSuccess: (answer) => {
      cacheRecord(answer)
      const after = answer.trace?.reliability?.percent
      const change =
        typeof before !== 'number' || typeof after !== 'number' || before === after
          ? ''
          : ` ${t('recalculate.change', { before: format.percent(before), after: format.percent(after) })}`
      toast({ text: `${t('done.recalculated')}${change}` })
      onClose()
      openTab('itinerary')
    },
    onError: (error) => {
      // Another user saved meanwhile: the newer version is shown, and the button recalculates it.
      const current = currentOf(error)
      if (current !== null) cache.setQueryData(parcoursQuery(parcours.id).queryKey, current)
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('recalculate.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button look="primary" busy={send.isPending} onClick={() => send.mutate()} data-autofocus>
            {t('recalculate.go')}
          </Button>
        </>
      }
    >
      <div style={{ display: 'grid', gap: 16 }}>
        {send.error !== null && (
          <Banner tone="danger" live="alert">
            {t('error.because', { what: t('error.recalculate'), why: problemText(send.error) })}
          </Banner>
        )}
        <p>{t('recalculate.text')}</p>
        <ImpactNote kind="parcours" id={parcours.id} action="change_trace" />
        <Checkbox checked={forced} onChange={setForced} label={t('recalculate.forced')} hint={t('recalculate.forcedHint')} />
      </div>
    </Dialog>
  )
}
