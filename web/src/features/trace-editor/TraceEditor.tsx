import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import { afterFirstPaint } from '@/ui/after-first-paint'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { toast } from '@/ui/feedback/toast'
import { usePhone } from '@/ui/usePhone'
import { CursorProvider } from '@/records/map/cursor'
import { FirstDrawing, FirstGround } from '@/records/map/FirstDrawing'
import { bboxOf } from '@/records/map/geo'
import { ConflictDialog } from './dialogs/ConflictDialog'
import { ImpactDialog } from './dialogs/ImpactDialog'
import { LeaveGuard } from './dialogs/LeaveGuard'
import { ShortcutsDialog } from './dialogs/ShortcutsDialog'
import { useEditor, useEditorState } from './editor/context'
import { isWayTool, present } from './editor/state'
import { measured } from './logic/revision'
import { paddingOf, useFirstLines } from './map/first-lines'
import { DropZone } from './panels/DropZone'
import { EmptyTrace } from './panels/EmptyTrace'
import { ImportDialog, TRACE_FILES } from './panels/ImportDialog'
import { Legend } from './panels/Legend'
import { Notices } from './panels/Notices'
import { PhoneSheet, type SheetSize, sheetSizes } from './panels/PhoneSheet'
import { ProfilePanel } from './panels/ProfilePanel'
import { ReliabilityPanel } from './panels/ReliabilityPanel'
import { Announcer } from './panels/Announcer'
import { SidePanel } from './panels/SidePanel'
import { TipBar } from './panels/TipBar'
import { PhoneToolBar, ToolBar } from './panels/ToolBar'
import { ToolPanel } from './panels/ToolPanel'
import { TopBar } from './panels/TopBar'
import classes from './TraceEditor.module.css'
import { useRecordedWay } from './useRecordedWay'
import { useShortcuts } from './useShortcuts'

const EditorMap = lazy(() => afterFirstPaint().then(() => import('./EditorMap')))
const HistoryPanel = lazy(() => import('./panels/HistoryPanel'))

/** Steps left, map, reliability over the map, profile below; on a phone the map and a sheet. `\` leaves the map alone. */
export function TraceEditor() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const narrow = usePhone()
  const editable = useEditorState((state) => state.parcours.editable)
  const [file, setFile] = useState<File | null>(null)
  const [help, setHelp] = useState(false)
  const [hidden, setHidden] = useState(false)
  // What a tool asks is asked in a panel.
  const bare = useEditorState((state) => !isWayTool(state.tool)) && hidden
  const [history, setHistory] = useState(false)
  const [sheet, setSheet] = useState<SheetSize>('half')
  const input = useRef<HTMLInputElement>(null)
  useRecordedWay(setFile)

  const choose = useCallback(() => {
    setFile(null)
    input.current?.click()
  }, [])
  const onHelp = useCallback(() => setHelp(true), [])
  const onPanels = useCallback(() => setHidden((now) => !now), [])
  const onSave = useCallback(() => {
    if (editor.get().history.present.revision !== editor.get().saved)
      void editor.save(false).then((done) => done && toast({ text: t('save.done') }))
  }, [editor, t])
  useShortcuts({ onHelp, onPanels, onSave })

  return (
    <CursorProvider>
      <DropZone enabled={editable} onFile={setFile} className={classes['editor'] ?? ''}>
        <div className={classes['grid']} data-bare={bare || undefined}>
          <TopBar narrow={narrow} onImport={choose} onShortcuts={onHelp} onHistory={() => setHistory(true)} />
          {!narrow && !bare && (
            <aside className={classes['steps']} aria-label={t('sheet.side')}>
              <SidePanel onShortcuts={onHelp} />
            </aside>
          )}
          <div className={classes['map']}>
            <div
              className={classes['canvas']}
              style={narrow && !bare ? { bottom: `calc(${Math.min(sheetSizes[sheet], sheetSizes.half)}dvh - 16px)` } : undefined}
            >
              <ErrorIsland>
                <Suspense fallback={<FirstMap narrow={narrow} bare={bare} />}>
                  <EditorMap narrow={narrow} bare={bare} />
                </Suspense>
              </ErrorIsland>
            </div>
            <Over narrow={narrow} bare={bare} onImport={choose} />
            {narrow && !bare && <PhoneSheet onShortcuts={onHelp} size={sheet} onSize={setSheet} />}
          </div>
          {!narrow && !bare && (
            <div className={classes['profile']}>
              <ProfilePanel />
            </div>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept={TRACE_FILES}
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t('empty.choose')}
          onChange={(event) => {
            setFile(event.target.files?.item(0) ?? null)
            event.target.value = ''
          }}
        />
        <Announcer />
        {file && (
          <ImportDialog
            key={`${file.name} ${file.size} ${file.lastModified}`}
            file={file}
            onClose={() => setFile(null)}
            onChoose={choose}
          />
        )}
        {help && <ShortcutsDialog onClose={() => setHelp(false)} />}
        {history && (
          <Suspense fallback={null}>
            <HistoryPanel onClose={() => setHistory(false)} />
          </Suspense>
        )}
        <ConflictDialog />
        <ImpactDialog />
        <LeaveGuard />
      </DropZone>
    </CursorProvider>
  )
}

/** The trace before its map. */
function FirstMap({ narrow, bare }: { narrow: boolean; bare: boolean }) {
  const revision = useEditorState(present)
  const bounds = useMemo(() => bboxOf(measured(revision).points), [revision])
  return (
    <FirstGround>
      <FirstDrawing lines={useFirstLines()} bounds={bounds} padding={paddingOf(narrow, bare)} />
    </FirstGround>
  )
}

/** The panels over the map. */
function Over({ narrow, bare, onImport }: { narrow: boolean; bare: boolean; onImport: () => void }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const empty = useEditorState((state) => present(state).steps.length === 0 && present(state).legs.length === 0)
  const editable = useEditorState((state) => state.parcours.editable)
  const looping = useEditorState((state) => state.tool === 'loop')
  const [drawing, setDrawing] = useState(false)
  return (
    <>
      <div className={classes['top']}>
        {!bare && (narrow ? null : <ToolBar />)}
        <div className={classes['notices']}>
          {!bare && <TipBar narrow={narrow} />}
          {!narrow && <Notices />}
          <ToolPanel />
        </div>
      </div>
      {narrow && !bare && (
        <div className={classes['phoneTools']}>
          <PhoneToolBar />
        </div>
      )}
      {!narrow && !bare && (
        <section className={classes['reliability']} aria-label={t('reliability.title')}>
          <ReliabilityPanel />
        </section>
      )}
      {!narrow && !bare && (
        <div className={classes['legend']}>
          <Legend />
        </div>
      )}
      {empty && editable && !drawing && !looping && (
        <div className={classes['empty']}>
          <EmptyTrace
            onImport={onImport}
            onDraw={() => {
              setDrawing(true)
              editor.choose('step')
              document.querySelector<HTMLElement>('.maplibregl-canvas')?.focus()
            }}
            onLoop={() => editor.choose('loop')}
          />
        </div>
      )}
    </>
  )
}
