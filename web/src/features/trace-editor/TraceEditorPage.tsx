export function Page() {
  return <h1>Trace</h1>
}
