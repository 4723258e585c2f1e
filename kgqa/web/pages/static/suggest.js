// Completes names of concepts while they are typed: fills the list of a field that has one. Fields work without it.
for (const field of document.querySelectorAll("input[data-suggest]")) {
  const list = document.getElementById(field.getAttribute("list"));
  let timer = 0;
  let asked = "";
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const typed = field.value.trim();
      if (typed.length < 2 || typed === asked) return;
      asked = typed;
      const reply = await fetch(`/api/v1/suggest?q=${encodeURIComponent(typed)}`).catch(() => null);
      if (!reply || !reply.ok || typed !== asked) return;
      const { concepts } = await reply.json();
      list.replaceChildren(...concepts.map((name) => Object.assign(document.createElement("option"), { value: name })));
    }, 150);
  });
}
