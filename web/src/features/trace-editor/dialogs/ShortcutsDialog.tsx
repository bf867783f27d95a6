import { useTranslation } from '@/i18n'
import { Dialog } from '@/ui/dialog/Dialog'
import { type Tool, tools } from '../editor/state'
import { useSingleKeys } from '../useShortcuts'
import classes from './dialogs.module.css'

const order: readonly Tool[] = ['select', 'step', 'free', 'cut', 'trim', 'ways', 'avoid', 'loop', 'measure', 'layers']

/** Every key of the editor that works: those of a single letter can be switched off in the account. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('trace')
  const singleKeys = useSingleKeys()
  const shift = t('shortcuts.keys.shift')
  const moving = [
    [[t('shortcuts.keys.tab')], t('shortcuts.tab')],
    [[t('shortcuts.keys.arrows')], t('shortcuts.arrows')],
    [[shift, t('shortcuts.keys.arrows')], t('shortcuts.shiftArrows')],
    [[t('shortcuts.keys.enter')], t('shortcuts.enter')],
    [[t('shortcuts.keys.escape')], t('shortcuts.escape')],
    [[t('shortcuts.keys.delete')], t('shortcuts.delete')],
    [['Alt', '↑ ↓'], t('shortcuts.reorder')],
    [['Alt'], t('shortcuts.alt')],
  ] as const
  const general = [
    [['Ctrl', 'Z'], t('shortcuts.undo')],
    [['Ctrl', shift, 'Z'], t('shortcuts.redo')],
    [['Ctrl', 'S'], t('shortcuts.save')],
    [['F6'], t('shortcuts.toNotice')],
  ] as const
  const single = [
    [['0'], t('tool.view.all')],
    [['+', '−'], t('shortcuts.zoom')],
    [['\\'], t('shortcuts.panels')],
    [['?'], t('shortcuts.help')],
  ] as const
  return (
    <Dialog opened onClose={onClose} size="medium" title={t('shortcuts.title')}>
      <div className={classes['keys']}>
        {singleKeys && <Keys title={t('shortcuts.tools')} rows={order.map((tool) => [[tools[tool]], t(`tool.${tool}`)])} />}
        <Keys title={t('shortcuts.moving')} rows={moving} />
        <Keys title={t('shortcuts.general')} rows={singleKeys ? [...general, ...single] : general} />
      </div>
      {!singleKeys && <p className="muted">{t('shortcuts.off')}</p>}
    </Dialog>
  )
}

function Keys({ title, rows }: { title: string; rows: readonly (readonly [readonly string[], string])[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(([keys, words]) => (
          <div key={words}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
