from fastapi import FastAPI, HTTPException
from pydantic import BaseModel
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from recipes.tables import Recipe, engine

app = FastAPI(title="Recipes")


class NewRecipe(BaseModel):
    title: str


# Fails for as long as nobody has migrated the file.
@app.get("/")
def count() -> int:
    with Session(engine) as session:
        return session.scalar(select(func.count()).select_from(Recipe)) or 0


@app.get("/recipes")
def recipes() -> list[dict[str, str]]:
    with Session(engine) as session:
        return [{"id": each.id, "title": each.title} for each in session.scalars(select(Recipe))]


@app.post("/recipes", status_code=201)
def write_recipe(new: NewRecipe) -> str:
    with Session(engine) as session:
        recipe = Recipe(title=new.title)
        session.add(recipe)
        session.commit()
        return recipe.id


@app.get("/recipes/{recipe_id}")
def recipe(recipe_id: str) -> str:
    with Session(engine) as session:
        found = session.get(Recipe, recipe_id)
    if found is None:
        raise HTTPException(404)
    return found.title
