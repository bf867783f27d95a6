/** The logo: a ranging pole, the only place where red and white are next to each other. */
export function Pole({ height = 26 }: { height?: number }) {
  return (
    <svg width={(height * 10) / 24} height={height} viewBox="0 0 10 24" aria-hidden="true">
      <path d="M5 1v22" stroke="var(--border-strong)" strokeWidth="4.6" strokeLinecap="round" />
      <path d="M5 1v22" stroke="#fff" strokeWidth="3.4" strokeLinecap="round" />
      <path d="M5 1v3.4M5 9v4.6M5 18v5" stroke="var(--jalon)" strokeWidth="3.4" strokeLinecap="butt" />
      <path d="M5 1v.01M5 23v.01" stroke="var(--jalon)" strokeWidth="3.4" strokeLinecap="round" />
    </svg>
  )
}
