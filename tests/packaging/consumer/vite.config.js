export default {
  base: "./",
  build: { outDir: "vite", rolldownOptions: { input: ["index.html", "slim.html", "toolkit.html", "text.html"] } },
};
