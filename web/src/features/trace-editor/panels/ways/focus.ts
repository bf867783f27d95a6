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
