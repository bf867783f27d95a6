import { Menu } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconCloudCheck from '@tabler/icons-react/dist/esm/icons/IconCloudCheck.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import IconVector from '@tabler/icons-react/dist/esm/icons/IconVector.mjs'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { Segments } from '@/ui/field/inputs'
import { format, textOf } from '@/ui/format'
import { closeLoop, setMode, takeOriginal } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import { toldLengthM } from '../editor/shown'
import { type EditorState, isDirty, present } from '../editor/state'
import { canRedo, canUndo } from '../logic/history'
import { isClosed } from '../logic/revision'
import { useActionWords } from './action-words'
import { ProfileChoice } from './ProfileChoice'
import { SaveButton } from './SaveButton'
import classes from './top.module.css'

export interface TopBarProps {
  narrow: boolean
  onImport: () => void
  onShortcuts: () => void
  onHistory: () => void
}

/** Back, title, state of the draft; mode, profile, undo, save. */
export function TopBar({ narrow, onImport, onShortcuts, onHistory }: TopBarProps) {
  const { t } = useTranslation('trace')
  const parcours = useEditorState((state) => state.parcours)
  return (
    <header className={classes['top']}>
      <Link to="/parcours/$id" params={{ id: String(parcours.id) }} className={classes['back']} aria-label={t('back')} title={t('back')}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
      </Link>
      <div className={classes['title']}>
        <h1 className="ellipsis" title={textOf(parcours.title)}>
          {textOf(parcours.title)}
        </h1>
        {narrow ? <Figures /> : <DraftLine />}
      </div>
      {!narrow && <ModeChoice />}
      {!narrow && <ProfileChoice />}
      {!narrow && parcours.editable && <UndoRedo />}
      {!narrow && parcours.mine && (
        <IconButton look="ghost" label={t('history.open')} icon={<IconHistory size={18} stroke={1.75} aria-hidden />} onClick={onHistory} />
      )}
      <More narrow={narrow} onImport={onImport} onShortcuts={onShortcuts} onHistory={onHistory} />
      {parcours.editable && <SaveButton narrow={narrow} />}
    </header>
  )
}

/** Calculator or source trace: what the app uses; the source itself never changes. */
export function ModeChoice() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const mode = useEditorState((state) => present(state).mode)
  const editable = useEditorState((state) => state.parcours.editable)
  if (!editable) return null
  return (
    <Segments
      label={t('mode.label')}
      value={mode}
      onChange={(value) => setMode(editor, value)}
      choices={[
        {
          value: 'planner',
          label: (
            <>
              <IconRoute size={16} stroke={1.75} aria-hidden />
              {t('mode.planner')}
            </>
          ),
        },
        {
          value: 'source',
          label: (
            <>
              <IconVector size={16} stroke={1.75} aria-hidden />
              {t('mode.source')}
            </>
          ),
        },
      ]}
    />
  )
}

type Line = 'draft' | 'unsaved' | 'saved' | 'readOnly' | 'empty'
function lineOf(state: EditorState): Line {
  if (!state.parcours.editable) return 'readOnly'
  if (isDirty(state)) return state.draftKeptAtMs === null ? 'unsaved' : 'draft'
  return present(state).legs.length === 0 ? 'empty' : 'saved'
}

function DraftLine() {
  const { t } = useTranslation('trace')
  const line = useEditorState(lineOf)
  const kept = useEditorState((state) => state.draftKeptAtMs)
  return (
    <p className={classes['draft']}>
      {line === 'draft' && <IconCloudCheck size={14} stroke={2} aria-hidden />}
      {t(`state.${line}`, { time: kept === null ? '' : format.time(new Date(kept)) })}
    </p>
  )
}

function Figures() {
  const { t } = useTranslation('trace')
  const length = useEditorState(toldLengthM)
  const duration = useEditorState((state) => present(state).duration_typed_s ?? state.analysed?.duration_s ?? null)
  const ascent = useEditorState((state) => state.analysed?.ascent_m ?? null)
  const parts = [
    format.km(length),
    ...(duration === null ? [] : [format.duration(duration)]),
    ...(ascent === null ? [] : [`${t('measures.ascent')} ${format.metres(ascent)}`]),
  ]
  return <p className={`${classes['figures']} num`}>{parts.join(' · ')}</p>
}

function UndoRedo() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const history = useEditorState((state) => state.history)
  const done = useActionWords()
  const back = canUndo(history)
  const forth = canRedo(history)
  return (
    <>
      <span className={classes['rule']} aria-hidden="true" />
      <IconButton
        look="ghost"
        label={back ? t('undo', { what: done(history.present.done) }) : t('undoNothing')}
        aria-keyshortcuts="Control+Z"
        className={classes['quiet'] ?? ''}
        disabledReason={back ? undefined : t('undoNothing')}
        icon={<IconArrowBackUp size={18} stroke={1.75} aria-hidden />}
        onClick={() => editor.undo()}
      />
      <IconButton
        look="ghost"
        label={forth ? t('redo', { what: done(history.future[0]?.done ?? '') }) : t('redoNothing')}
        aria-keyshortcuts="Control+Shift+Z"
        className={classes['quiet'] ?? ''}
        disabledReason={forth ? undefined : t('redoNothing')}
        icon={<IconArrowForwardUp size={18} stroke={1.75} aria-hidden />}
        onClick={() => editor.redo()}
      />
    </>
  )
}

function More({ narrow, onImport, onShortcuts, onHistory }: TopBarProps) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const parcours = useEditorState((state) => state.parcours)
  const trace = useEditorState((state) => state.trace)
  const open = useEditorState((state) => present(state).legs.length > 0 && !isClosed(present(state)))
  const source = useEditorState((state) => present(state).source?.line != null)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton look="ghost" label={t('more.label')} icon={<IconDots size={18} stroke={1.75} aria-hidden />} />
      </Menu.Target>
      <Menu.Dropdown>
        {parcours.editable && <Menu.Item onClick={onImport}>{t('more.import')}</Menu.Item>}
        {parcours.editable && (
          <Menu.Item disabled={!source} title={source ? undefined : t('more.originalNone')} onClick={() => takeOriginal(editor)}>
            {t('more.original')}
          </Menu.Item>
        )}
        {parcours.editable && open && <Menu.Item onClick={() => closeLoop(editor)}>{t('more.close')}</Menu.Item>}
        {narrow && parcours.mine && <Menu.Item onClick={onHistory}>{t('history.open')}</Menu.Item>}
        {trace && <Menu.Divider />}
        {trace &&
          (['gpx', 'kml', 'geojson', 'tcx'] as const).map((kind) => (
            <Menu.Item key={kind} component="a" href={`/api/v1/parcours/${parcours.id}/trace.${kind}`} download>
              {t('more.download', { format: kind.toUpperCase() })}
            </Menu.Item>
          ))}
        {trace?.source_file && (
          <Menu.Item component="a" href={`/api/v1/parcours/${parcours.id}/trace/source`} download={trace.source_file.name}>
            {t('more.file')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item onClick={onShortcuts} rightSection={<kbd>?</kbd>}>
          {t('more.shortcuts')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
