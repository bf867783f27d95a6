import type { Tool } from '../../editor/state'

/** Gives the focus back to where a tool was taken: its button, on a phone the tab that is shown. */
export function focusTool(tool: Tool): void {
  requestAnimationFrame(() =>
    (
      document.querySelector<HTMLElement>(`[data-tool="${tool}"]`) ??
      document.querySelector<HTMLElement>('#sheet-panel-steps, [role="tab"][aria-selected="true"]')
    )?.focus(),
  )
}

/** Gives the focus to the first field of the current tool, once its panel is drawn; for a tool without a field, the focus does not move. */
export function focusPanelField(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-tool-panel] input')?.focus())
}
