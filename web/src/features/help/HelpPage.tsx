export function Page() {
  return <h1>Help</h1>
}
