import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { format } from '@/ui/format'
import classes from './ConflictDialog.module.css'
import { plainValue } from './plain-value'
import type { Values } from './paths'
import type { Conflict, ResourceForm, Versioned } from './useResourceForm'

export interface ConflictWords<R> {
  /** The label of a field by its path (`title.fr`). */
  fieldLabel: (path: string) => string
  /** A value in words; a map for a trace. */
  fieldValue?: (path: string, value: unknown) => ReactNode
  /** The user of the last save, and its time. */
  savedBy?: (current: R) => { name: string; at: string }
}

/** Two users changed the same fields: for each field, the old value, the other user's and one's own, to choose from. */
export function ConflictDialog<R extends Versioned, V extends Values>({ form, ...words }: { form: ResourceForm<R, V> } & ConflictWords<R>) {
  if (form.conflict === null) return null
  return <Choices key={form.conflict.current.version} form={form} conflict={form.conflict} {...words} />
}

function Choices<R extends Versioned, V extends Values>({
  form,
  conflict,
  fieldLabel,
  fieldValue = (_, value) => plainValue(value),
  savedBy,
}: { form: ResourceForm<R, V>; conflict: Conflict<R> } & ConflictWords<R>) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<ReadonlyMap<string, 'theirs' | 'mine'>>(new Map())
  const left = conflict.clashes.filter(({ path }) => !chosen.has(path))
  const by = savedBy?.(conflict.current)
  const name = by?.name ?? t('form.conflict.someone')
  const [fromThem, fromMe] = [conflict.theirPaths.length, conflict.myPaths.length]
  const merged = [
    ...(fromThem > 0 ? [t('form.conflict.theirFields', { count: fromThem })] : []),
    ...(fromMe > 0 ? [t('form.conflict.myFields', { count: fromMe })] : []),
  ]
  const choose = (path: string, whose: 'theirs' | 'mine') => setChosen(new Map([...chosen, [path, whose]]))
  return (
    <Dialog
      opened
      size="large"
      onClose={form.closeConflict}
      title={t('form.conflict.title', { name })}
      actions={
        <>
          <span className={classes['left']} role="status">
            {left.length > 0 && (
              <>
                <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
                {t('form.conflict.left', { count: left.length, fields: format.list(left.map(({ path }) => fieldLabel(path))) })}
              </>
            )}
          </span>
          <Button look="ghost" onClick={form.closeConflict}>
            {t('form.conflict.keepDraft')}
          </Button>
          <Button
            look="primary"
            busy={form.saving}
            disabledReason={left.length > 0 ? t('form.conflict.chooseFirst') : undefined}
            onClick={() => void form.resolve(new Set([...chosen].filter(([, whose]) => whose === 'mine').map(([path]) => path)))}
          >
            {t('form.conflict.save')}
          </Button>
        </>
      }
    >
      <p className="muted small">
        {merged.length > 0 && `${t('form.conflict.merged', { count: fromThem + fromMe, what: format.list(merged) })} `}
        {t('form.conflict.toChoose', { count: conflict.clashes.length })}
      </p>
      <div className={classes['grid']}>
        <div className={classes['heads']} aria-hidden="true">
          <span />
          <span>{t('form.conflict.before')}</span>
          <span>{by === undefined ? name : `${name}, ${format.time(by.at)}`}</span>
          <span>{t('form.conflict.you')}</span>
        </div>
        {conflict.clashes.map(({ path, before, theirs, mine }) => (
          <fieldset key={path} className={classes['row']}>
            <legend>{fieldLabel(path)}</legend>
            <div className={classes['before']}>
              <span className={classes['phoneHead']}>{t('form.conflict.before')}</span>
              {fieldValue(path, before)}
            </div>
            {(['theirs', 'mine'] as const).map((whose) => (
              <label key={whose} className={classes['option']}>
                <input
                  type="radio"
                  name={path}
                  checked={chosen.get(path) === whose}
                  onChange={() => choose(path, whose)}
                  aria-label={whose === 'mine' ? t('form.conflict.you') : name}
                />
                <span>
                  <span className={classes['phoneHead']}>{whose === 'mine' ? t('form.conflict.you') : name}</span>
                  {fieldValue(path, whose === 'mine' ? mine : theirs)}
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </Dialog>
  )
}
